package control

import (
	"slices"
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
)

// The rules of ReplicaUpdates and their messages were recorded by AWS's controllers for Kubernetes (ack-api-quirks
// DDB-TABLE-202 to DDB-TABLE-313, 2026-10-09), except where a function says otherwise.

const (
	localRegion = "Cannot add or delete the local region through ReplicaUpdates. Use CreateTable, DeleteTable, or " +
		"UpdateTable as required."
	noReplicaAction = "There are no actions specified in the Replica Update Action of the request."
	replicaTypes    = "Update table operation with more than one type of replica actions not allowed."
	replicaCount    = "Update table operation with more than one create or delete replica actions not allowed"
	sourceRegion    = "Replica cannot be deleted because it has acted as a source region for new replica(s) being added to " +
		"the table in the last 24 hours."
	strongSuffix  = "global tables with MultiRegionConsistency set to STRONG"
	onlyOneMember = "Deletion of only one table replica is not supported for " + strongSuffix + "."
)

// checkReplicaUpdates checks the updates of replicas before the table is known.
func (in *UpdateTableInput) checkReplicaUpdates() error {
	created, deleted, creates, updated := map[string]bool{}, map[string]bool{}, 0, 0
	for i := range in.ReplicaUpdates {
		update := &in.ReplicaUpdates[i]
		switch n := update.actions(); {
		case n == 0, n == 1 && update.Update != nil && !update.Update.overrides():
			return wire.ValidationError(noReplicaAction)
		case n > 1:
			return wire.ValidationError(replicaTypes)
		case update.Create != nil && update.Create.RegionName == nil: // (DDB-TABLE-457)
			return wire.ValidationError("One or more parameter values were invalid")
		case update.Create != nil:
			created[update.region()] = true
			creates++
		case update.Delete != nil:
			deleted[update.region()] = true
		case update.Update.KMSMasterKeyId != nil: // whatever the key is: DDB-TABLE-295 and DDB-TABLE-309
			return errReplicaKey()
		default:
			updated++
		}
	}
	if min(len(created), 1)+min(len(deleted), 1)+min(updated, 1) > 1 {
		return wire.ValidationError(replicaTypes)
	}
	if in.MultiRegionConsistency != nil && (creates == 0 || creates < len(in.ReplicaUpdates)) {
		return wire.ValidationError(
			"Only Replica Create actions are supported when MultiRegionConsistency parameter is provided.")
	}
	if wire.OrZero(in.MultiRegionConsistency) == "STRONG" {
		return in.checkStrong(created)
	}
	if in.createdWitness() != "" {
		return wire.ValidationError(
			"MultiRegionConsistency must be set as STRONG when GlobalTableWitnessUpdates parameter is present.")
	}
	if len(created) > 1 {
		return wire.ValidationError(replicaCount)
	}
	return nil
}

func errReplicaKey() error {
	return wire.ParameterError("KMSMasterKeyId must be specified for each replica.")
}

// createdWitness returns the region of the witness that the request adds; empty: none.
func (in *UpdateTableInput) createdWitness() string {
	for _, w := range in.GlobalTableWitnessUpdates {
		if w.Create != nil {
			return *w.Create.RegionName
		}
	}
	return ""
}

// deletedWitness returns the region of the witness that the request removes; empty: none.
func (in *UpdateTableInput) deletedWitness() string {
	for _, w := range in.GlobalTableWitnessUpdates {
		if w.Delete != nil {
			return *w.Delete.RegionName
		}
	}
	return ""
}

// notStrong are regions without multi-Region strong consistency, as far as they are recorded.
var notStrong = []string{"us-west-1"}

// checkStrong checks that a request makes a global table of three regions with multi-Region strong consistency.
func (in *UpdateTableInput) checkStrong(created map[string]bool) error {
	witness := in.createdWitness()
	var unsupported []string
	for _, region := range notStrong {
		if created[region] || witness == region {
			unsupported = append(unsupported, region)
		}
	}
	members := len(created)
	if witness != "" {
		members++
	}
	switch {
	case members != 2:
		return wire.ValidationError("Unsupported replica count for " + strongSuffix + ".")
	case len(unsupported) > 0:
		return wire.ValidationError("Unsupported Region(s) specified for " + strongSuffix + ": " + list(unsupported) + ".")
	case created[witness]:
		return wire.ValidationError("Cannot target multiple regions with the same action")
	}
	return nil
}

// checkReplicas checks the updates of replicas against the table. The account's DDL is closed.
func checkReplicas(req *engine.Request, t *engine.Table, in *UpdateTableInput) error {
	here := req.Account.Region()
	for i := range in.ReplicaUpdates {
		if in.ReplicaUpdates[i].region() == here {
			return wire.ValidationError(localRegion)
		}
	}
	for i := range in.ReplicaUpdates {
		if err := checkRegion(req.Account, in.ReplicaUpdates[i].region()); err != nil {
			return err
		}
	}
	if in.ReplicaUpdates[0].Create != nil {
		return checkCreates(req, t, in)
	}
	if err := checkMembers(t, in); err != nil {
		return err
	}
	if in.ReplicaUpdates[0].Delete != nil {
		return checkDeletes(t, in)
	}
	return nil
}

// awsRegions are AWS's regions. A replica can be in each that is kept apart.
var awsRegions = []string{"af-south-1", "ap-east-1", "ap-east-2", "ap-northeast-1", "ap-northeast-2", "ap-northeast-3",
	"ap-south-1", "ap-south-2", "ap-southeast-1", "ap-southeast-2", "ap-southeast-3", "ap-southeast-4", "ap-southeast-5",
	"ap-southeast-6", "ap-southeast-7", "ca-central-1", "ca-west-1", "eu-central-1", "eu-central-2", "eu-north-1",
	"eu-south-1", "eu-south-2", "eu-west-1", "eu-west-2", "eu-west-3", "il-central-1", "me-central-1", "me-south-1",
	"mx-central-1", "sa-east-1", "us-east-1", "us-east-2", "us-west-1", "us-west-2"}

// IsRegion reports whether region is one of AWS's regions, or one that the emulator keeps apart.
func IsRegion(a *engine.Account, region string) bool {
	return slices.Contains(awsRegions, region) || slices.Contains(a.Engine.Spaces.Regions, region)
}

// checkRegion returns an error for a region that does not exist, or that the emulator does not keep apart. The text of
// the latter is ours.
func checkRegion(a *engine.Account, region string) error {
	spaces := a.Engine.Spaces
	switch {
	case slices.Contains(awsRegions, region) && !spaces.KeepsApart(region):
		return wire.ParameterError("ReplicaUpdates: the emulator does not keep " + region + " apart from " + a.Region() +
			"; start it with --regions=" + region + " (emulator.WithRegions)")
	case spaces.Isolate && !slices.Contains(awsRegions, region), !spaces.KeepsApart(region):
		supported := awsRegions
		if !spaces.Isolate {
			supported = slices.DeleteFunc(slices.Clone(awsRegions), func(name string) bool { return !spaces.KeepsApart(name) })
		}
		return wire.ValidationError("Region " + region + " is not supported. The latest version of global tables are only " +
			"supported in the following regions: " + list(supported))
	}
	return nil
}

func checkCreates(req *engine.Request, t *engine.Table, in *UpdateTableInput) error {
	strong := wire.OrZero(in.MultiRegionConsistency) == "STRONG"
	switch {
	case in.MultiRegionConsistency != nil && t.Def.Replication != nil:
		return wire.ValidationError("MultiRegionConsistency parameter is unsupported on existing global table")
	case t.IsStrong():
		return wire.ValidationError("Cannot add replicas to a global table with strong MultiRegionConsistency")
	case strong && in.createdWitness() == req.Account.Region():
		return wire.ValidationError("Cannot add a witness in the same region as an existing replica when creating a global " +
			"table with MultiRegionConsistency set to STRONG.")
	}
	if err := checkScaled(engine.Located{Table: t, Account: req.Account}); err != nil {
		return err
	}
	for i := range in.ReplicaUpdates {
		if exists(req.Account.Sibling(in.ReplicaUpdates[i].region()), t.Def.Name) {
			return wire.ValidationError("Failed to create a the new replica of table with name: ‘" + t.Def.Name +
				"’ because one or more replicas already existed as tables.")
		}
	}
	if strong {
		return checkCanBeStrong(t)
	}
	return nil
}

// checkScaled returns an error for a provisioned table whose writes, or those of its global indexes, are not scaled by
// policies. (ack-api-quirks DDB-TABLE-188 and DDB-TABLE-288, 2026-10-09.)
func checkScaled(t engine.Located) error {
	if t.Def.BillingMode != engine.Provisioned {
		return nil
	}
	if !t.IsWriteScaled("") {
		return wire.ValidationError("Table write capacity should either be Pay-Per-Request or AutoScaled.")
	}
	return checkIndexesScaled(t)
}

// checkIndexesScaled returns an error for a provisioned table with a global index whose writes are not scaled by a
// policy.
func checkIndexesScaled(t engine.Located) error {
	for _, x := range t.Def.Global {
		if t.Def.BillingMode == engine.Provisioned && !t.IsWriteScaled(x.Name) {
			return wire.ValidationError("GSI write capacity should either be Pay-Per-Request or AutoScaled.")
		}
	}
	return nil
}

// exists reports whether an account has a table of that name, whatever its status.
func exists(a *engine.Account, name string) bool {
	defer a.ForgetIfEmpty()
	_, there := (*a.Tables.Load())[name]
	_, restoring := Transitions(a).Restoring[name]
	transition := TransitionOf(a, name)
	return there || restoring || transition != nil && transition.replica == existingReplica
}

// checkCanBeStrong returns an error for a table that cannot have multi-Region strong consistency: one with items, local
// indexes or time to live (AWS, "How DynamoDB global tables work"). The texts are ours.
func checkCanBeStrong(t *engine.Table) error {
	switch {
	case t.Stats.MayHaveItems():
		return wire.ValidationError("The table must be empty to add replicas to " + strongSuffix + ".")
	case t.HasLocalIndex():
		return wire.ValidationError("Local secondary indexes are not supported for " + strongSuffix + ".")
	case t.Def.TTLAttribute != "":
		return errStrongTimeToLive()
	}
	return nil
}

// errStrongTimeToLive returns the error for time to live with multi-Region strong consistency. The text is ours.
func errStrongTimeToLive() error {
	return wire.ValidationError("Time to Live is not supported for " + strongSuffix + ".")
}

// checkMembers returns an error for regions without a replica.
func checkMembers(t *engine.Table, in *UpdateTableInput) error {
	var others []string
	for i := range in.ReplicaUpdates {
		region := in.ReplicaUpdates[i].region()
		if o, ok := t.ReplicaIn(region); (!ok || !isListed(o)) && !slices.Contains(others, region) {
			others = append(others, region)
		}
	}
	if len(others) > 0 {
		return wire.ValidationError("Update global table operation failed because one or more replicas were not part of the " +
			"global table. Please retry the request without these replicas: [" + strings.Join(others, ", ") + "].")
	}
	witness := in.deletedWitness()
	if witness != "" && witness != t.Def.Replication.Witness {
		return wire.ValidationError("Update global table operation failed because one or more witnesses were not part of the " +
			"global table. Please retry the request without these witnesses: [" + witness + "].")
	}
	return nil
}

func checkDeletes(t *engine.Table, in *UpdateTableInput) error {
	regions := map[string]bool{}
	for i := range in.ReplicaUpdates {
		regions[in.ReplicaUpdates[i].region()] = true
	}
	switch r := t.Def.Replication; {
	case !r.Strong && len(regions) > 1:
		return wire.ValidationError(replicaCount)
	case r.Strong && len(regions) < len(r.Replicas):
		return wire.ValidationError(onlyOneMember)
	case r.Strong && in.deletedWitness() != r.Witness:
		return wire.ValidationError("Update table delete operation does not include all witnesses.")
	}
	for region := range regions {
		o, _ := t.ReplicaIn(region)
		if err := checkRemoval(o.Account, o.Table); err != nil {
			return err
		}
	}
	return nil
}

// checkRemoval returns an error for a replica that cannot be deleted: it is protected, or others were made from it in
// the last 24 hours and still exist.
func checkRemoval(a *engine.Account, t *engine.Table) error {
	if t.Def.DeletionProtection {
		return wire.ValidationError("Cannot delete table " + t.Def.Name + " in region " + a.Region() +
			" because it has deletion protection enabled. Disable deletion protection first.")
	}
	if t.IsStrong() {
		return nil // all members end together
	}
	if sourcedRecently(t, a.Engine.Now()) {
		return wire.ValidationError(sourceRegion)
	}
	return nil
}

// sourcedRecently reports whether a replica was made from a table in the last 24 hours before now, in seconds since
// 1970, and still exists.
func sourcedRecently(t *engine.Table, now float64) bool {
	return slices.ContainsFunc(t.Def.Replication.Replicas, func(r engine.Replica) bool {
		return r.Sourced > 0 && now < r.Sourced+24*3600
	})
}

// errReplicaInUse returns the error for a change of a replica while it, or another one, is in a transitional state.
func errReplicaInUse() error {
	return wire.DynamoError("ResourceInUseException", "The resource which you are attempting to change is in use.")
}

// checkCanUpdateReplicas returns an error if an account's table is in a transitional state, or another replica is.
func checkCanUpdateReplicas(a *engine.Account, t *engine.Table) error {
	transition := TransitionOf(a, t.Def.Name)
	if transition != nil && (transition.Status == engine.Updating || transition.leaving != nil) {
		return errReplicaInUse()
	}
	return checkReplicasSettled(t)
}

// checkReplicasSettled returns an error if another replica of a table is in a transitional state.
func checkReplicasSettled(t *engine.Table) error {
	for _, o := range t.Replicas() {
		if TransitionOf(o.Account, t.Def.Name) != nil {
			return errReplicaInUse()
		}
	}
	return nil
}
