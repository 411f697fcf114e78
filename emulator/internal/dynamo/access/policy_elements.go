package access

import (
	"slices"
	"strconv"
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
	"github.com/tabletop-db/tabletop/internal/model/iam"
)

// policyActions are the actions of policies of tables and streams: those of the operations with support for
// resource-based policies (developer guide, "API operations supported by resource-based policies", as of 2026-10-06),
// and those of the service authorization reference that no operation of that list has, for a table.
var policyActions = actionSet(`
	BatchGetItem BatchWriteItem ConditionCheckItem CreateBackup CreateTableReplica DeleteItem DeleteResourcePolicy
	DeleteTable DeleteTableReplica DescribeContinuousBackups DescribeContributorInsights
	DescribeKinesisStreamingDestination DescribeTable DescribeTableReplicaAutoScaling DescribeTimeToLive
	DisableKinesisStreamingDestination EnableKinesisStreamingDestination ExportTableToPointInTime GetItem
	GetResourcePolicy InjectError ListTagsOfResource PartiQLDelete PartiQLInsert PartiQLSelect PartiQLUpdate PutItem
	PutResourcePolicy Query ReadDataForReplication ReplicateSettings RestoreTableFromAwsBackup
	RestoreTableToPointInTime Scan SearchVectors StartAwsBackupJob TagResource TransactGetItems TransactWriteItems
	UntagResource UpdateContinuousBackups UpdateContributorInsights UpdateGlobalTableVersion UpdateItem
	UpdateKinesisStreamingDestination UpdateTable UpdateTableReplicaAutoScaling UpdateTimeToLive
	WriteDataForReplication`)

// streamActions are the actions that only policies of streams have.
var streamActions = actionSet(`DescribeStream GetRecords GetShardIterator`)

func actionSet(names string) map[string]bool {
	set := map[string]bool{}
	for name := range strings.FieldsSeq(names) {
		set[strings.ToLower(actionName(name))] = true
	}
	return set
}

// checkPolicyElements returns an error for actions or a resource that the policy of a table, or of a stream, cannot
// have. Names with wildcards are not checked. The messages are those of ack-api-quirks DDB-TABLE-211 and DDB-TABLE-212
// (2026-10-09). Not recorded are the order of the names, and which actions of tables a stream's policy refuses.
func checkPolicyElements(p *iam.Policy, stream bool) error {
	var invalid []string
	for _, s := range p.Statements {
		for _, action := range s.Actions() {
			name, quoted := strings.ToLower(action), strconv.Quote(action)
			known := policyActions[name] || stream && streamActions[name] || strings.ContainsAny(name, "*?")
			if !known && !slices.Contains(invalid, quoted) {
				invalid = append(invalid, quoted)
			}
		}
	}
	if len(invalid) > 0 {
		return policyError("The following action names are invalid: " + strings.Join(invalid, ", "))
	}
	for _, s := range p.Statements {
		for _, arn := range s.Resources() {
			_, relative, _ := strings.Cut(arn, ":table/")
			if relative == "" || strings.ContainsAny(relative, "*?$") || strings.Contains(relative, "/stream/") == stream {
				continue
			}
			return policyError(`The relative-id "table/` + relative + `" is invalid for ARN "` + arn + `"`)
		}
	}
	return nil
}

// policyError returns an error for a policy with a problem.
func policyError(problem string) error {
	return wire.ParameterError("Invalid policy document: " + problem)
}
