package service

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/cucumber/godog"

	"github.com/tabletop-db/tabletop/emulator"
)

func (w *world) globalTables(sc *godog.ScenarioContext) {
	sc.Step(`^an emulator with the regions ([a-z0-9, -]+)$`, func(regions string) error {
		return w.Restart(emulator.WithRegions(strings.Split(regions, ", ")...))
	})
	sc.Step(`^an emulator with lag and the regions ([a-z0-9, -]+)$`, func(regions string) error {
		return w.Restart(emulator.WithRegions(strings.Split(regions, ", ")...), emulator.WithLikeCloud(emulator.Lag))
	})
	sc.Step(`^"([^"]*)" gets a replica in ([a-z0-9-]+)$`, func(ctx context.Context, table, region string) error {
		return w.addReplicas(ctx, table, "", region)
	})
	sc.Step(`^"([^"]*)" gets strongly consistent replicas in ([a-z0-9-]+) and ([a-z0-9-]+)$`,
		func(ctx context.Context, table, one, other string) error {
			return w.addReplicas(ctx, table, types.MultiRegionConsistencyStrong, one, other)
		})
	sc.Step(`^in ([a-z0-9-]+) the order "([^"]*)" is put with the state "([^"]*)" into "([^"]*)"$`, w.putIn)
	sc.Step(`^in ([a-z0-9-]+) the order "([^"]*)" is deleted from "([^"]*)"$`, w.deleteIn)
	sc.Step(`^in ([a-z0-9-]+) "([^"]*)" has the orders? (.+)$`, w.hasIn)
	sc.Step(`^(\d+) milliseconds pass$`, func(ms int) error {
		return w.Target.Emulator.Advance(time.Duration(ms) * time.Millisecond)
	})
	sc.Step(`^in ([a-z0-9-]+) there is no table "([^"]*)"$`, w.noTableIn)
}

// clientIn returns a client whose requests are signed for a region.
func (w *world) clientIn(region string) *dynamodb.Client {
	return dynamodb.NewFromConfig(w.Target.Emulator.AWSConfig(), func(o *dynamodb.Options) { o.Region = region })
}

// addReplicas makes a table of us-east-1 a global table; an empty consistency is the default.
func (w *world) addReplicas(ctx context.Context, table string, consistency types.MultiRegionConsistency,
	regions ...string) error {
	in := &dynamodb.UpdateTableInput{TableName: w.Table(table), MultiRegionConsistency: consistency}
	for _, region := range regions {
		in.ReplicaUpdates = append(in.ReplicaUpdates, types.ReplicationGroupUpdate{
			Create: &types.CreateReplicationGroupMemberAction{RegionName: aws.String(region)}})
	}
	_, err := w.clientIn("us-east-1").UpdateTable(ctx, in)
	if err == nil { // the table itself can be deleted only without them
		w.OnClose(func(ctx context.Context) error { return w.removeReplicas(ctx, table, regions...) })
	}
	return err
}

func (w *world) removeReplicas(ctx context.Context, table string, regions ...string) error {
	in := &dynamodb.UpdateTableInput{TableName: w.Table(table)}
	for _, region := range regions {
		in.ReplicaUpdates = append(in.ReplicaUpdates, types.ReplicationGroupUpdate{
			Delete: &types.DeleteReplicationGroupMemberAction{RegionName: aws.String(region)}})
	}
	_, err := w.clientIn("us-east-1").UpdateTable(ctx, in)
	return err
}

func orderOf(id string) map[string]types.AttributeValue {
	return map[string]types.AttributeValue{"id": &types.AttributeValueMemberS{Value: id}}
}

func (w *world) putIn(ctx context.Context, region, id, state, table string) error {
	order := orderOf(id)
	order["state"] = &types.AttributeValueMemberS{Value: state}
	_, err := w.clientIn(region).PutItem(ctx, &dynamodb.PutItemInput{TableName: w.Table(table), Item: order})
	return err
}

func (w *world) deleteIn(ctx context.Context, region, id, table string) error {
	_, err := w.clientIn(region).DeleteItem(ctx, &dynamodb.DeleteItemInput{TableName: w.Table(table), Key: orderOf(id)})
	return err
}

// hasIn checks the orders of a table in a region, written as "7 paid, 8 new", with consistent reads.
func (w *world) hasIn(ctx context.Context, region, table, want string) error {
	out, err := w.clientIn(region).Scan(ctx, &dynamodb.ScanInput{TableName: w.Table(table),
		ConsistentRead: aws.Bool(true)})
	if err != nil {
		return err
	}
	var orders []string
	for _, it := range out.Items {
		orders = append(orders, it["id"].(*types.AttributeValueMemberS).Value+" "+
			it["state"].(*types.AttributeValueMemberS).Value)
	}
	slices.Sort(orders)
	if got := strings.Join(orders, ", "); got != want {
		return fmt.Errorf("%s has the orders %q", region, got)
	}
	return nil
}

func (w *world) noTableIn(ctx context.Context, region, table string) error {
	out, err := w.clientIn(region).ListTables(ctx, nil)
	if err == nil && slices.Contains(out.TableNames, *w.Table(table)) {
		return fmt.Errorf("%s has the tables %v", region, out.TableNames)
	}
	return err
}
