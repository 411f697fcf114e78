package emulator_test

import (
	"context"
	"fmt"
	"maps"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/aws-sdk-go-v2/service/kms"

	"github.com/tabletop-db/tabletop/emulator"
)

// crashRegions makes the process of TABLETOP_CRASH_DIR keep regions apart, and lag.
const crashRegions = "TABLETOP_CRASH_REGIONS"

// crashOptions returns the further options of that process.
func crashOptions() []emulator.Option {
	if os.Getenv(crashRegions) == "" {
		return nil
	}
	return []emulator.Option{emulator.WithRegions(threeRegions...), emulator.WithLikeCloud(emulator.Lag)}
}

// regionWorker writes its own items in one region.
type regionWorker struct {
	name, region string
	n            int
	acknowledged map[string]string
	pending      string
}

func (r *regionWorker) write(c *dynamodb.Client) error {
	r.n++
	r.pending = fmt.Sprintf("%s-%d", r.name, r.n%20)
	_, err := c.PutItem(context.Background(), &dynamodb.PutItemInput{TableName: aws.String("orders"),
		Item: valueItem(r.pending, fmt.Sprint(r.n))}, once, func(o *dynamodb.Options) { o.Region = r.region })
	if err == nil {
		r.acknowledged[r.pending] = fmt.Sprint(r.n)
	}
	return err
}

// TestKilledEmulatorsLoseNoReplication kills an emulator whose writes take a while to other regions, repeatedly. After
// each kill every region has every acknowledged write, and all regions have the same items.
func TestKilledEmulatorsLoseNoReplication(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	workers := make([]*regionWorker, 6)
	for i := range workers {
		workers[i] = &regionWorker{name: fmt.Sprint("w", i), region: threeRegions[i%3], acknowledged: map[string]string{}}
	}
	e, err := emulator.Start(emulator.WithData(dir), emulator.WithRegions(threeRegions...))
	if err != nil {
		t.Fatal(err)
	}
	w := worldOf(e)
	w.createTable(t)
	w.addReplica(t, "us-east-1", "eu-west-1")
	w.addReplica(t, "us-east-1", "us-west-2")
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	for range crashes {
		p := startEmulatorProcess(t, dir, crashRegions+"=1")
		killDuring(t, p, 300, workers, func(r *regionWorker) error { return r.write(p.client) })
		// Without lag, what is left to replicate is replicated while the folder opens.
		e, err := emulator.Start(emulator.WithData(dir), emulator.WithRegions(threeRegions...))
		if err != nil {
			t.Fatal(err)
		}
		checkRegionWorkers(t, worldOf(e), workers)
		if err := e.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

func checkRegionWorkers(t *testing.T, w *world, workers []*regionWorker) {
	t.Helper()
	first := w.items(t, threeRegions[0])
	w.wantItems(t, first, threeRegions[1:]...)
	for _, r := range workers {
		for id, value := range r.acknowledged {
			if first[id] != value && id != r.pending {
				t.Errorf("%s is %q, and %q was acknowledged", id, first[id], value)
			}
		}
		r.acknowledged[r.pending] = first[r.pending]
	}
}

// TestReplicasFollowTheState checks that replicas are part of snapshots, and that a restored table has none.
func TestReplicasFollowTheState(t *testing.T) {
	t.Parallel()
	w := newWorld(t, emulator.WithLikeCloud(emulator.Lag))
	w.createTable(t)
	w.addReplica(t, "us-east-1", "eu-west-1")
	w.put(t, "us-east-1", "a", "1")
	snapshot, err := w.emulator.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	if err := w.emulator.Advance(10 * time.Second); err != nil {
		t.Fatal(err)
	}
	w.put(t, "us-east-1", "b", "2")
	for range 2 {
		if err := w.emulator.Restore(snapshot); err != nil {
			t.Fatal(err)
		}
		if err := w.emulator.Advance(10 * time.Second); err != nil {
			t.Fatal(err)
		}
		w.wantItems(t, map[string]string{"a": "1"}, "us-east-1", "eu-west-1")
	}
	backup, err := w.in["us-east-1"].CreateBackup(t.Context(), &dynamodb.CreateBackupInput{TableName: aws.String("orders"),
		BackupName: aws.String("all")})
	if err != nil {
		t.Fatal(err)
	}
	out, err := w.in["us-east-1"].RestoreTableFromBackup(t.Context(), &dynamodb.RestoreTableFromBackupInput{
		BackupArn: backup.BackupDetails.BackupArn, TargetTableName: aws.String("restored")})
	if err != nil || out.TableDescription.Replicas != nil || out.TableDescription.GlobalTableVersion != nil {
		t.Errorf("the restored table is %+v, %v", out, err)
	}
	if err := w.emulator.Reset(); err != nil {
		t.Fatal(err)
	}
	w.createTable(t)
	w.addReplica(t, "us-east-1", "eu-west-1")
	w.wantItems(t, map[string]string{}, "us-east-1", "eu-west-1")
}

// statusOf returns the status of "orders" in a region with the replicas that it lists, such as "UPDATING [eu-west-1
// ACTIVE]"; "-" if it is not found.
func (w *world) statusOf(t testing.TB, region string) string {
	t.Helper()
	out, err := w.in[region].DescribeTable(t.Context(), &dynamodb.DescribeTableInput{TableName: aws.String("orders")})
	if err != nil {
		wantError(t, err, "ResourceNotFoundException", "")
		return "-"
	}
	return fmt.Sprint(out.Table.TableStatus, " ", replicasOf(out.Table))
}

func (w *world) wantStatuses(t testing.TB, us, eu string) {
	t.Helper()
	if got := w.statusOf(t, "us-east-1"); got != us {
		t.Errorf("us-east-1 is %s; want %s", got, us)
	}
	if got := w.statusOf(t, "eu-west-1"); got != eu {
		t.Errorf("eu-west-1 is %s; want %s", got, eu)
	}
}

// statesWorld returns a world with States whose table "orders" is ACTIVE.
func statesWorld(t testing.TB) *world {
	t.Helper()
	w := newWorld(t, emulator.WithLikeCloud(emulator.States))
	w.createTable(t)
	w.advance(t, time.Minute)
	return w
}

// TestAddedReplicasHaveStates checks the states of a table that gets a replica, and what is refused meanwhile
// (ack-api-quirks DDB-TABLE-226, DDB-TABLE-227 and DDB-TABLE-298).
func TestAddedReplicasHaveStates(t *testing.T) {
	t.Parallel()
	w := statesWorld(t)
	w.addReplica(t, "us-east-1", "eu-west-1")
	w.wantStatuses(t, "UPDATING []", "-")
	_, err := w.in["us-east-1"].UpdateTable(t.Context(), addingReplica("eu-west-1"))
	wantError(t, err, "ResourceInUseException", "The resource which you are attempting to change is in use.")
	_, err = w.in["us-east-1"].UpdateTable(t.Context(), removingReplica("eu-west-1"))
	wantError(t, err, "ValidationException", "one or more replicas were not part of the global table")
	w.advance(t, 7*time.Second)
	w.wantStatuses(t, "UPDATING [eu-west-1 CREATING]", "-")
	if names, err := w.in["eu-west-1"].ListTables(t.Context(), nil); err != nil || len(names.TableNames) > 0 {
		t.Errorf("eu-west-1 lists %v, %v", names.TableNames, err)
	}
	w.advance(t, 4*time.Second)
	w.wantStatuses(t, "UPDATING [eu-west-1 CREATING]", "CREATING [us-east-1 ACTIVE]")
	if arn := w.describe(t, "eu-west-1").LatestStreamArn; arn != nil {
		t.Errorf("a replica that is created has the stream %s", *arn)
	}
	w.put(t, "us-east-1", "a", "1")
	_, err = w.in["eu-west-1"].GetItem(t.Context(), &dynamodb.GetItemInput{TableName: aws.String("orders"),
		Key: map[string]types.AttributeValue{"id": &types.AttributeValueMemberS{Value: "a"}}})
	wantError(t, err, "ResourceNotFoundException", "")
	_, err = w.in["us-east-1"].UpdateTable(t.Context(), addingReplica("us-west-2"))
	wantError(t, err, "ResourceInUseException", "The resource which you are attempting to change is in use.")
	w.wantNewReplicaUnchanged(t)
	w.advance(t, time.Minute)
	w.wantStatuses(t, "ACTIVE [eu-west-1 ACTIVE]", "ACTIVE [us-east-1 ACTIVE]")
	w.wantItems(t, map[string]string{"a": "1"}, "us-east-1", "eu-west-1")
}

// TestRemovedReplicasHaveStates checks the states of a table that loses a replica, and what is refused meanwhile
// (ack-api-quirks DDB-TABLE-204, DDB-TABLE-228, DDB-TABLE-267 and DDB-TABLE-308).
func TestRemovedReplicasHaveStates(t *testing.T) {
	t.Parallel()
	w := statesWorld(t)
	w.addReplica(t, "us-east-1", "eu-west-1")
	w.advance(t, time.Minute)
	if _, err := w.in["us-east-1"].UpdateTable(t.Context(), removingReplica("eu-west-1")); err != nil {
		t.Fatal(err)
	}
	w.wantStatuses(t, "UPDATING [eu-west-1 ACTIVE]", "UPDATING [us-east-1 ACTIVE]")
	readd := func() {
		t.Helper()
		_, err := w.in["us-east-1"].UpdateTable(t.Context(), addingReplica("eu-west-1"))
		wantError(t, err, "ValidationException", "because one or more replicas already existed as tables")
	}
	readd()
	_, err := w.in["us-east-1"].UpdateTable(t.Context(), addingReplica("us-west-2"))
	wantError(t, err, "ResourceInUseException", "The resource which you are attempting to change is in use.")
	w.advance(t, 50*time.Second)
	w.wantStatuses(t, "ACTIVE [eu-west-1 DELETING]", "DELETING [us-east-1 ACTIVE]")
	readd()
	_, err = w.in["us-east-1"].UpdateTable(t.Context(), &dynamodb.UpdateTableInput{TableName: aws.String("orders"),
		TableClass: types.TableClassStandardInfrequentAccess})
	wantError(t, err, "ResourceInUseException", "The resource which you are attempting to change is in use.")
	_, err = w.in["us-east-1"].DeleteTable(t.Context(), &dynamodb.DeleteTableInput{TableName: aws.String("orders")})
	wantError(t, err, "ValidationException", "it has acted as a source region")
	for w.statusOf(t, "us-east-1") != "ACTIVE []" { // up to 244 s after the request
		w.advance(t, time.Second)
	}
	w.wantStatuses(t, "ACTIVE []", "DELETING []")
	readd()
	w.advance(t, 40*time.Second)
	w.wantStatuses(t, "ACTIVE []", "-")
	w.addReplica(t, "us-east-1", "eu-west-1")
}

// TestReplicasDeletedInTheirRegionHaveStates checks the states of a group whose replica is deleted by DeleteTable
// (ack-api-quirks DDB-TABLE-297 and DDB-TABLE-327).
func TestReplicasDeletedInTheirRegionHaveStates(t *testing.T) {
	t.Parallel()
	w := statesWorld(t)
	w.addReplica(t, "us-east-1", "eu-west-1")
	w.advance(t, time.Minute)
	if _, err := w.in["eu-west-1"].DeleteTable(t.Context(), &dynamodb.DeleteTableInput{
		TableName: aws.String("orders")}); err != nil {
		t.Fatal(err)
	}
	w.wantStatuses(t, "UPDATING [eu-west-1 DELETING]", "DELETING [us-east-1 ACTIVE]")
	w.advance(t, 50*time.Second)
	w.wantStatuses(t, "ACTIVE [eu-west-1 DELETING]", "DELETING [us-east-1 ACTIVE]")
	w.advance(t, 5*time.Minute)
	w.wantStatuses(t, "ACTIVE []", "-")
}

// TestChangedReplicasHaveStates checks that the deletion protection of a replica makes all UPDATING, and that an
// override shows when the table is ACTIVE again (ack-api-quirks DDB-TABLE-230, DDB-TABLE-250 and DDB-TABLE-297).
func TestChangedReplicasHaveStates(t *testing.T) {
	t.Parallel()
	w := statesWorld(t)
	w.addReplica(t, "us-east-1", "eu-west-1")
	w.advance(t, time.Minute)
	out, err := w.in["eu-west-1"].UpdateTable(t.Context(), &dynamodb.UpdateTableInput{TableName: aws.String("orders"),
		DeletionProtectionEnabled: aws.Bool(true)})
	if err != nil || out.TableDescription.TableStatus != "UPDATING" {
		t.Fatalf("the replica is %+v, %v", out, err)
	}
	w.wantStatuses(t, "UPDATING [eu-west-1 UPDATING]", "UPDATING [us-east-1 UPDATING]")
	if *w.describe(t, "us-east-1").DeletionProtectionEnabled || !*w.describe(t, "eu-west-1").DeletionProtectionEnabled {
		t.Error("the protection is not that of the replica alone")
	}
	_, err = w.in["us-east-1"].UpdateTable(t.Context(), addingReplica("us-west-2"))
	wantError(t, err, "ResourceInUseException", "The resource which you are attempting to change is in use.")
	w.advance(t, time.Minute)
	w.wantStatuses(t, "ACTIVE [eu-west-1 ACTIVE]", "ACTIVE [us-east-1 ACTIVE]")

	override := updatingReplicas(types.ReplicationGroupUpdate{Update: &types.UpdateReplicationGroupMemberAction{
		RegionName: aws.String("eu-west-1"), TableClassOverride: types.TableClassStandardInfrequentAccess}})
	if _, err := w.in["us-east-1"].UpdateTable(t.Context(), override); err != nil {
		t.Fatal(err)
	}
	class := func() *types.TableClassSummary {
		return w.describe(t, "us-east-1").Replicas[0].ReplicaTableClassSummary
	}
	w.wantStatuses(t, "UPDATING [eu-west-1 ACTIVE]", "UPDATING [us-east-1 UPDATING]")
	if class() != nil {
		t.Errorf("the class is %v already", class().TableClass)
	}
	w.advance(t, 2*time.Minute)
	w.wantStatuses(t, "ACTIVE [eu-west-1 ACTIVE]", "ACTIVE [us-east-1 ACTIVE]")
	if class() == nil {
		t.Error("the replica has no class")
	}
}

// TestReplicasWithKeys checks the keys of replicas, and that a replica whose key is disabled catches up later.
func TestReplicasWithKeys(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	keys := map[string]*kms.Client{}
	ids := map[string]string{}
	for _, region := range threeRegions[:2] {
		keys[region] = kms.NewFromConfig(w.emulator.AWSConfig(), func(o *kms.Options) { o.Region = region })
		out, err := keys[region].CreateKey(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		ids[region] = *out.KeyMetadata.KeyId
	}
	w.createTable(t, func(in *dynamodb.CreateTableInput) {
		in.SSESpecification = &types.SSESpecification{Enabled: aws.Bool(true), SSEType: types.SSETypeKms,
			KMSMasterKeyId: aws.String(ids["us-east-1"])}
	})
	_, err := w.in["us-east-1"].UpdateTable(t.Context(), addingReplica("eu-west-1"))
	wantError(t, err, "ValidationException", "KMSMasterKeyId must be specified for each replica.")
	add := addingReplica("eu-west-1")
	add.ReplicaUpdates[0].Create.KMSMasterKeyId = aws.String("alias/aws/dynamodb")
	_, err = w.in["us-east-1"].UpdateTable(t.Context(), add)
	wantError(t, err, "ValidationException", "All replica keys must either be Customer Managed CMK or AWS Managed CMK.")
	add.ReplicaUpdates[0].Create.KMSMasterKeyId = aws.String(ids["eu-west-1"])
	if _, err := w.in["us-east-1"].UpdateTable(t.Context(), add); err != nil {
		t.Fatal(err)
	}
	if arn := *w.describe(t, "us-east-1").Replicas[0].KMSMasterKeyId; arn != "arn:aws:kms:eu-west-1:000000000000:key/"+
		ids["eu-west-1"] {
		t.Errorf("the key is %s", arn)
	}
	w.put(t, "us-east-1", "a", "1")
	if _, err := keys["eu-west-1"].DisableKey(t.Context(), &kms.DisableKeyInput{
		KeyId: aws.String(ids["eu-west-1"])}); err != nil {
		t.Fatal(err)
	}
	if err := w.emulator.Advance(48 * time.Hour); err != nil {
		t.Fatal(err)
	}
	w.put(t, "us-east-1", "a", "2")
	w.put(t, "us-east-1", "b", "3")
	if _, err := keys["eu-west-1"].EnableKey(t.Context(), &kms.EnableKeyInput{
		KeyId: aws.String(ids["eu-west-1"])}); err != nil {
		t.Fatal(err)
	}
	if err := w.emulator.Advance(48 * time.Hour); err != nil {
		t.Fatal(err)
	}
	w.wantItems(t, map[string]string{"a": "2", "b": "3"}, "us-east-1", "eu-west-1")
}

// TestReplicasWithIsolation checks that with isolation the replicas of an access key are its own.
func TestReplicasWithIsolation(t *testing.T) {
	t.Parallel()
	w := worldOf(emulator.Run(t, emulator.WithIsolation()))
	w.createTable(t)
	w.addReplica(t, "us-east-1", "eu-west-1")
	w.put(t, "eu-west-1", "a", "1")
	w.wantItems(t, map[string]string{"a": "1"}, "us-east-1")
	_, err := w.in["us-east-1"].UpdateTable(t.Context(), addingReplica("us-fake-1"))
	wantError(t, err, "ValidationException", "Region us-fake-1 is not supported.")
}

// TestReplicasChangeUnderLoad changes replicas and their indexes while every region writes, and checks that all regions
// have the same items.
func TestReplicasChangeUnderLoad(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.createTable(t)
	w.addReplica(t, "us-east-1", "eu-west-1")
	var all sync.WaitGroup
	for i := range 4 {
		all.Go(func() {
			for n := range 100 {
				w.put(t, threeRegions[i%2], fmt.Sprint(n%20), fmt.Sprint(i, n))
			}
		})
	}
	for range 3 {
		w.addReplica(t, "eu-west-1", "us-west-2")
		if _, err := w.in["us-east-1"].UpdateTable(t.Context(), removingReplica("us-west-2")); err != nil {
			t.Error(err)
		}
	}
	w.addReplica(t, "eu-west-1", "us-west-2")
	all.Wait()
	want := w.items(t, "us-east-1")
	w.wantItems(t, maps.Clone(want), threeRegions...)
	if len(want) != 20 {
		t.Errorf("there are %d items, want 20", len(want))
	}
}
