package emulator_test

import (
	"context"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"time"
)

// aroundCases attack the services around the tables: policies, indexes, point-in-time recovery, streams, metrics,
// alarms, and the admin API.
func aroundCases() []hostileCase {
	return []hostileCase{
		{name: "a policy on the attributes of wide items", clients: 4, prepare: attributePolicy,
			send: repeat("PutItem", `{"TableName":"victim","Item":{"pk":{"S":"wide"}`+attributes(8_000)+`}}`)},
		{name: "indexes that come and go", clients: 2, prepare: indexedItems, send: newIndex},
		{name: "restored backups", clients: 2, prepare: backedUp, send: restore("RestoreTableFromBackup", "ListBackups",
			`"BackupArn":"([^"]+)"`, `{"BackupArn":%q,"TargetTableName":%q}`)},
		{name: "restores to a point in time", clients: 2, prepare: recoverable, send: restore("RestoreTableToPointInTime",
			"ListTables", `"(victim)"`, `{"SourceTableName":%q,"TargetTableName":%q,"UseLatestRestorableTime":true}`)},
		{name: "earlier states of a table", clients: 8, prepare: recoverable, send: func(ctx context.Context,
			a *livenessTest) (int, error) {
			const history = "/console/api/history/dynamodb/victim"
			return first(
				func() (int, string, error) { return a.admin(ctx, http.MethodGet, history, "") },
				func() (int, string, error) { return a.admin(ctx, http.MethodGet, history+"/items?limit=1000", "") },
				func() (int, string, error) {
					return a.admin(ctx, http.MethodGet, history+`/item?key={"pk":{"S":"1"}}`, "")
				},
			)
		}},
		{name: "pollers of a stream", clients: 200, prepare: streamed, send: pollStream},
		{name: "wide metric math", clients: 4, send: repeat("GraniteServiceVersion20100801.GetMetricData", metricMath())},
		{name: "a year with alarms and lifetimes", clients: 1, prepare: alarmsAndLifetimes, send: commanded(http.MethodPost,
			"/clock/advance", `{"duration":"8760h"}`)},
		{name: "faults that come and go", clients: 4, send: func(ctx context.Context, a *livenessTest) (int, error) {
			return first(
				func() (int, string, error) {
					return a.admin(ctx, http.MethodPost, "/faults", `{"name":"`+unique("one")+
						`","do":"internal-error","operations":["DescribeLimits"],"times":1}`)
				},
				func() (int, string, error) { return a.admin(ctx, http.MethodGet, "/faults", "") },
				func() (int, string, error) { return a.admin(ctx, http.MethodDelete, "/faults", "") },
			)
		}},
		{name: "recordings", clients: 2, prepare: largeItems, send: func(ctx context.Context, a *livenessTest) (int, error) {
			return first(
				func() (int, string, error) { return a.admin(ctx, http.MethodPost, "/recording/start", "") },
				func() (int, string, error) { return a.dynamo(ctx, "Scan", `{"TableName":"victim"}`) },
				func() (int, string, error) { return a.admin(ctx, http.MethodGet, "/recording/requests", "") },
				func() (int, string, error) { return a.admin(ctx, http.MethodPost, "/recording/stop", "") },
			)
		}},
		{name: "cost reports", clients: 8, send: commanded(http.MethodGet, "/cost", "")},
		{name: "restored snapshots", clients: 1, prepare: func(a *livenessTest) {
			largeItems(a)
			a.probeOnce() // the snapshot has what the canaries read
			if status, answer, err := a.admin(a.t.Context(), http.MethodPost, "/snapshots", `{"id":"before"}`); err != nil ||
				status >= 300 {
				a.t.Fatal(status, answer, err)
			}
		}, send: commanded(http.MethodPost, "/snapshots/before/restore", "")},
	}
}

// attributes returns that many attributes of an item.
func attributes(n int) string {
	var all strings.Builder
	for i := range n {
		fmt.Fprintf(&all, `,"a%d":{"N":"1"}`, i)
	}
	return all.String()
}

// attributePolicy denies access to attributes by patterns that match none, each of which is compared with every
// attribute.
func attributePolicy(a *livenessTest) {
	var patterns []string
	for i := range 300 {
		patterns = append(patterns, fmt.Sprintf(`\"*a*%d*b*\"`, i))
	}
	a.must("PutResourcePolicy", `{"ResourceArn":"`+a.arn("victim")+
		`","Policy":"{\"Version\":\"2012-10-17\",\"Statement\":{\"Effect\":\"Deny\",\"Principal\":\"*\",`+
		`\"Action\":\"dynamodb:PutItem\",\"Resource\":\"*\",\"Condition\":{\"ForAnyValue:StringLike\":{\"dynamodb:Attributes\":[`+
		strings.Join(patterns, ",")+`]}}}}"}`)
}

// arn returns the ARN of a table.
func (a *livenessTest) arn(table string) string {
	return found(a.must("DescribeTable", `{"TableName":"`+table+`"}`), `"TableArn":"([^"]+)"`)
}

// found returns the first group of a pattern's match in a text.
func found(text, pattern string) string {
	if m := regexp.MustCompile(pattern).FindStringSubmatch(text); m != nil {
		return m[1]
	}
	return ""
}

// indexedItems fills the victim with small items that have the index's key.
func indexedItems(a *livenessTest) {
	for i := range 200 {
		var writes []string
		for j := range 25 {
			writes = append(writes, fmt.Sprintf(`{"PutRequest":{"Item":{"pk":{"S":"%d-%d"},"v":{"S":"%d"},"w":{"S":"%s"}}}}`, i,
				j, j, strings.Repeat("x", 500)))
		}
		a.must("BatchWriteItem", `{"RequestItems":{"victim":[`+strings.Join(writes, ",")+`]}}`)
	}
}

// newIndex creates an index on the victim's items, and deletes it.
func newIndex(ctx context.Context, a *livenessTest) (int, error) {
	name := unique("by-v")
	return first(
		func() (int, string, error) {
			return a.dynamo(ctx, "UpdateTable",
				fmt.Sprintf(`{"TableName":"victim","AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"},{"AttributeName":"v","AttributeType":"S"}],
				"GlobalSecondaryIndexUpdates":[{"Create":{"IndexName":%q,"KeySchema":[{"AttributeName":"v","KeyType":"HASH"}],"Projection":{"ProjectionType":"ALL"}}}]}`, name))
		},
		func() (int, string, error) {
			return a.dynamo(ctx, "UpdateTable",
				fmt.Sprintf(`{"TableName":"victim","GlobalSecondaryIndexUpdates":[{"Delete":{"IndexName":%q}}]}`, name))
		},
	)
}

func backedUp(a *livenessTest) {
	largeItems(a)
	a.must("CreateBackup", `{"TableName":"victim","BackupName":"one"}`)
}

func recoverable(a *livenessTest) {
	a.must("UpdateContinuousBackups",
		`{"TableName":"victim","PointInTimeRecoverySpecification":{"PointInTimeRecoveryEnabled":true}}`)
	largeItems(a)
}

// restore restores a table from what an operation lists, and deletes it.
func restore(operation, list, pattern, body string) func(context.Context, *livenessTest) (int, error) {
	return func(ctx context.Context, a *livenessTest) (int, error) {
		name := unique("restored")
		status, answer, err := a.dynamo(ctx, list, `{}`)
		if err != nil {
			return status, err
		}
		return first(
			func() (int, string, error) {
				return a.dynamo(ctx, operation, fmt.Sprintf(body, found(answer, pattern), name))
			},
			func() (int, string, error) {
				return a.dynamo(ctx, "DeleteTable", fmt.Sprintf(`{"TableName":%q}`, name))
			},
		)
	}
}

func streamed(a *livenessTest) {
	a.must("UpdateTable",
		`{"TableName":"victim","StreamSpecification":{"StreamEnabled":true,"StreamViewType":"NEW_AND_OLD_IMAGES"}}`)
	indexedItems(a)
}

// pollStream reads the victim's stream from its start.
func pollStream(ctx context.Context, a *livenessTest) (int, error) {
	const streams = "DynamoDBStreams_20120810."
	_, answer, err := a.dynamo(ctx, streams+"ListStreams", `{"TableName":"victim"}`)
	if err != nil {
		return 0, err
	}
	arn := found(answer, `"StreamArn":"([^"]+)"`)
	if _, answer, err = a.dynamo(ctx, streams+"DescribeStream", fmt.Sprintf(`{"StreamArn":%q}`, arn)); err != nil {
		return 0, err
	}
	_, answer, err = a.dynamo(ctx, streams+"GetShardIterator",
		fmt.Sprintf(`{"StreamArn":%q,"ShardId":%q,"ShardIteratorType":"TRIM_HORIZON"}`, arn,
			found(answer, `"ShardId":"([^"]+)"`)))
	if err != nil {
		return 0, err
	}
	status, _, err := a.dynamo(ctx, streams+"GetRecords", fmt.Sprintf(`{"ShardIterator":%q}`,
		found(answer, `"ShardIterator":"([^"]+)"`)))
	return status, err
}

// metricMath returns a request for as much metric data as one request may have, with expressions over all of it.
func metricMath() string {
	var queries []string
	for i := range 50 {
		queries = append(queries,
			fmt.Sprintf(`{"Id":"m%d","MetricStat":{"Period":60,"Stat":"Sum","Metric":{"Namespace":"AWS/DynamoDB","MetricName":"ConsumedReadCapacityUnits",
			"Dimensions":[{"Name":"TableName","Value":"victim"}]}}}`, i), fmt.Sprintf(`{"Id":"e%d","Expression":"SUM(METRICS())+FILL(m%d,0)*RATE(m%d)","Period":60}`, i, i, i))
	}
	now := time.Now().Unix()
	return fmt.Sprintf(`{"StartTime":%d,"EndTime":%d,"MetricDataQueries":[%s]}`, now-14*24*60*60, now,
		strings.Join(queries, ","))
}

// alarmsAndLifetimes creates 2,000 alarms, and items that expire one after the other.
func alarmsAndLifetimes(a *livenessTest) {
	for i := range 2_000 {
		a.must("GraniteServiceVersion20100801.PutMetricAlarm",
			fmt.Sprintf(`{"AlarmName":"alarm-%d","Namespace":"AWS/DynamoDB","MetricName":"ConsumedReadCapacityUnits",
			"Dimensions":[{"Name":"TableName","Value":"victim"}],"Statistic":"Sum","Period":60,"EvaluationPeriods":1,"Threshold":%d,"ComparisonOperator":"GreaterThanThreshold"}`, i, i))
	}
	a.must("UpdateTimeToLive", `{"TableName":"victim","TimeToLiveSpecification":{"AttributeName":"ends","Enabled":true}}`)
	now := time.Now().Unix()
	for i := range 40 {
		var writes []string
		for j := range 25 {
			writes = append(writes, fmt.Sprintf(`{"PutRequest":{"Item":{"pk":{"S":"%d-%d"},"ends":{"N":"%d"}}}}`, i, j,
				now+int64(i*25+j)*30_000))
		}
		a.must("BatchWriteItem", `{"RequestItems":{"victim":[`+strings.Join(writes, ",")+`]}}`)
	}
}
