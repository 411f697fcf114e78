package control

import (
	"slices"
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
)

// UpdateTable makes one logical change. AWS's controllers for Kubernetes recorded which settings can change together,
// with the messages and their order (ack-api-quirks DDB-TABLE-174, DDB-TABLE-382 and DDB-TABLE-433, 2026-10-09).

// requiredChanges are the members of which UpdateTable requires one, as its message names them. It omits those that the
// request has: MultiRegionConsistency changes nothing alone. (DDB-TABLE-442, 2026-10-09.)
const requiredChanges = "ProvisionedThroughput, BillingMode, UpdateStreamEnabled, GlobalSecondaryIndexUpdates, " +
	"SSESpecification, ReplicaUpdates, MultiAccountReplicaReady, ReplicaTransitRoleArn, MultiRegionConsistency, " +
	"DeletionProtectionEnabled, OnDemandThroughput, WarmThroughput or TableClass"

func (in *UpdateTableInput) changesNothing() bool { return *in.changes() == settings{} }

// settings tells which settings of a table a request changes.
type settings struct {
	encryption, class, protection, onDemand, warm, stream, throughput, billing bool
	indexes, createsIndex, deletesIndex, replicas                              bool
}

func (in *UpdateTableInput) changes() *settings {
	s := &settings{encryption: in.SSESpecification != nil, class: in.TableClass != nil,
		protection: in.DeletionProtectionEnabled != nil, onDemand: !in.OnDemandThroughput.Empty(),
		warm: !in.WarmThroughput.Empty(), stream: in.StreamSpecification != nil,
		throughput: in.ProvisionedThroughput != nil, billing: in.BillingMode != nil, replicas: len(in.ReplicaUpdates) > 0,
		indexes: len(in.GlobalSecondaryIndexUpdates)+len(in.VectorIndexUpdates) > 0}
	for _, x := range in.GlobalSecondaryIndexUpdates {
		s.createsIndex = s.createsIndex || x.Create != nil
		s.deletesIndex = s.deletesIndex || x.Delete != nil
	}
	for _, x := range in.VectorIndexUpdates {
		s.createsIndex = s.createsIndex || x.Create != nil
		s.deletesIndex = s.deletesIndex || x.Delete != nil
	}
	return s
}

// only reports whether the request changes nothing but one of the settings, which clear turns off.
func (s settings) only(clear func(s *settings)) bool {
	clear(&s)
	return s == settings{}
}

// checkCombination returns an error for changes that cannot be made together. Of warm throughput with changes of
// indexes only the creation is recorded; the others are accepted.
func (in *UpdateTableInput) checkCombination() error {
	s := in.changes()
	online := s.createsIndex || s.deletesIndex
	iops := s.throughput || wire.OrZero(in.BillingMode) == engine.Provisioned
	switch {
	case s.replicas && !s.only(func(s *settings) { s.replicas = false }):
		return in.errReplicasAndMore()
	case s.encryption && !s.only(func(s *settings) { s.encryption = false }):
		return wire.ParameterError("Server-Side Encryption modification must be the only operation in the request")
	case s.class && !s.only(func(s *settings) { s.class = false }):
		return wire.ParameterError("TableClass modification must be the only operation in the request")
	case s.protection && !s.only(func(s *settings) { s.protection = false }):
		return wire.ParameterError("DeletionProtection modification must be the only operation in the request")
	case s.onDemand && (s.stream || s.warm || s.throughput || online):
		return wire.ParameterError("OnDemandThroughput can only be combined with BillingMode in an UpdateTable request")
	case s.warm && s.createsIndex:
		return wire.ParameterError("Create global secondary index cannot be specified when updating WarmThroughput")
	case s.warm && (s.stream || s.throughput || s.billing || s.deletesIndex):
		return wire.ParameterError("WarmThroughput must be the only operation in the request")
	case s.stream && iops:
		return wire.ParameterError("You cannot modify stream status while updating table IOPS")
	case online && s.throughput:
		return wire.ParameterError("You cannot create or delete index while updating table IOPS")
	case online && s.stream:
		return wire.ParameterError("You cannot create or delete index while changing stream status")
	}
	return nil
}

// errReplicasAndMore returns the error for a request that changes replicas and something else (DDB-TABLE-224 and
// DDB-TABLE-257).
func (in *UpdateTableInput) errReplicasAndMore() error {
	if in.MultiRegionConsistency != nil || len(in.GlobalTableWitnessUpdates) > 0 {
		return wire.ParameterError("Requests that modify replicas or witnesses must not also modify other fields")
	}
	return wire.ParameterError("Replica modification must be the only operation in the request")
}

// errNothingRequested returns the error for a request that changes nothing.
func (in *UpdateTableInput) errNothingRequested() error {
	required := strings.Split(strings.Replace(requiredChanges, " or ", ", ", 1), ", ")
	if in.MultiRegionConsistency != nil {
		required = slices.DeleteFunc(required, func(name string) bool { return name == "MultiRegionConsistency" })
	}
	last := len(required) - 1
	return wire.ValidationError("At least one of " + strings.Join(required[:last], ", ") + " or " + required[last] +
		" is required")
}

// becomesUpdating reports whether the table becomes UPDATING. It does not if only deletion protection, maximum
// throughput, warm throughput, encryption, or settings of existing indexes change (observed on AWS, 2026;
// ack-api-quirks DDB-TABLE-017 and DDB-TABLE-159, 2026-10-08).
func (in *UpdateTableInput) becomesUpdating() bool {
	s := in.changes()
	return s.class || s.stream || s.throughput || s.billing || s.createsIndex || s.deletesIndex
}

// becomesUpdating reports whether the table becomes UPDATING. One with replicas does so too if its deletion protection
// changes (ack-api-quirks DDB-TABLE-230 and DDB-TABLE-297, 2026-10-09).
func (u *tableUpdate) becomesUpdating() bool {
	return u.in.becomesUpdating() || u.in.changes().protection && u.old.Replication != nil
}
