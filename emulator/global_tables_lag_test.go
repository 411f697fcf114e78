package emulator_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/tabletop-db/tabletop/emulator"
)

// TestReplicasLag checks that a write arrives in other regions after a while, that a region decides by what it has, and
// that the last writer wins: the second of two writes of an item that did not know of each other.
func TestReplicasLag(t *testing.T) {
	t.Parallel()
	w := newWorld(t, emulator.WithLikeCloud(emulator.Lag))
	w.createTable(t)
	w.put(t, "us-east-1", "old", "0")
	w.addReplica(t, "us-east-1", "eu-west-1")
	w.wantItems(t, map[string]string{"old": "0"}, "eu-west-1")
	w.put(t, "us-east-1", "a", "1")
	w.wantItems(t, map[string]string{"old": "0"}, "eu-west-1")
	if err := w.emulator.Advance(time.Millisecond); err != nil {
		t.Fatal(err)
	}
	_, err := w.in["eu-west-1"].PutItem(t.Context(), &dynamodb.PutItemInput{TableName: aws.String("orders"),
		Item: valueItem("a", "2"), ConditionExpression: aws.String("attribute_not_exists(id)")})
	if err != nil {
		t.Errorf("the condition is not that of the region: %v", err)
	}
	w.wantItems(t, map[string]string{"old": "0", "a": "1"}, "us-east-1")
	w.wantItems(t, map[string]string{"old": "0", "a": "2"}, "eu-west-1")
	if err := w.emulator.Advance(5 * time.Second); err != nil {
		t.Fatal(err)
	}
	w.wantItems(t, map[string]string{"old": "0", "a": "2"}, "us-east-1", "eu-west-1")
	w.remove(t, "us-east-1", "a")
	w.put(t, "us-east-1", "old", "3")
	if err := w.emulator.Advance(5 * time.Second); err != nil {
		t.Fatal(err)
	}
	w.wantItems(t, map[string]string{"old": "3"}, "us-east-1", "eu-west-1")
}

// lastWriter is the model of a global table: the last write of each item.
type lastWriter struct {
	rand  *rand.Rand
	world *world
	items map[string]string
	ids   []string
}

// TestReplicasConverge makes random writes in three regions, with and without lag, and checks that all regions end with
// the same items. Writes of an item are a millisecond apart, so that the last one is known.
func TestReplicasConverge(t *testing.T) {
	t.Parallel()
	for seed := range uint64(4) {
		for name, options := range map[string][]emulator.Option{"strict": nil, "lag": {emulator.WithLikeCloud(emulator.Lag)},
			"everything": {emulator.WithLikeCloud(emulator.Lag, emulator.Conflicts)}} {
			t.Run(fmt.Sprintf("%s-%d", name, seed), func(t *testing.T) {
				t.Parallel()
				w := newWorld(t, append(options, emulator.WithSeed(int64(seed)))...)
				w.createTable(t)
				m := &lastWriter{rand.New(rand.NewPCG(seed, 1)), w, map[string]string{}, nil}
				for i := range 12 {
					m.ids = append(m.ids, fmt.Sprint("item", i))
				}
				regions := []string{"us-east-1"}
				for i := range 300 {
					m.write(t, regions[m.rand.IntN(len(regions))], i)
					if i == 50 {
						w.addReplica(t, "us-east-1", "eu-west-1")
						regions = threeRegions[:2]
					}
					if i == 100 {
						w.addReplica(t, "eu-west-1", "us-west-2")
						regions = threeRegions
					}
					if err := w.emulator.Advance(time.Duration(1+m.rand.IntN(200)) * time.Millisecond); err != nil {
						t.Fatal(err)
					}
				}
				if err := w.emulator.Advance(10 * time.Second); err != nil {
					t.Fatal(err)
				}
				w.wantItems(t, m.items, threeRegions...)
				for _, region := range threeRegions {
					if d := w.describe(t, region); int(*d.ItemCount) != len(m.items) {
						t.Errorf("%s counts %d items, want %d", region, *d.ItemCount, len(m.items))
					}
				}
			})
		}
	}
}

// write makes a random write, or several in a batch or a transaction. A deletion is only the last write of an item that
// the region has.
func (m *lastWriter) write(t *testing.T, region string, i int) {
	t.Helper()
	id, value := m.ids[m.rand.IntN(len(m.ids))], fmt.Sprint(i)
	switch m.rand.IntN(4) {
	case 0:
		if _, there := m.world.items(t, region)[id]; there {
			m.world.remove(t, region, id)
			delete(m.items, id)
		}
		return
	case 1:
		other := m.ids[(m.rand.IntN(len(m.ids)))]
		if other == id {
			return
		}
		put := func(id string) types.TransactWriteItem {
			return types.TransactWriteItem{Put: &types.Put{TableName: aws.String("orders"), Item: valueItem(id, value)}}
		}
		if _, err := m.world.in[region].TransactWriteItems(t.Context(), &dynamodb.TransactWriteItemsInput{
			TransactItems: []types.TransactWriteItem{put(id), put(other)}}); err != nil {
			t.Fatal(err)
		}
		m.items[other] = value
	default:
		m.world.put(t, region, id, value)
	}
	m.items[id] = value
}

// TestWritesAtOnceHaveOneWinner checks that of two writes of an item at the same time, the one in the region with the
// greater name wins.
func TestWritesAtOnceHaveOneWinner(t *testing.T) {
	t.Parallel()
	w := newWorld(t, emulator.WithLikeCloud(emulator.Lag))
	w.createTable(t)
	w.addReplica(t, "us-east-1", "eu-west-1")
	w.put(t, "us-east-1", "a", "1")
	w.put(t, "eu-west-1", "a", "2")
	if err := w.emulator.Advance(5 * time.Second); err != nil {
		t.Fatal(err)
	}
	w.wantItems(t, map[string]string{"a": "1"}, "us-east-1", "eu-west-1")
}

// TestLaterWritesWinAtAnEarlierClock checks that a write is later than the one that its region has seen, even if the
// clock is set back while no emulator runs.
func TestLaterWritesWinAtAnEarlierClock(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	start := func(now time.Time) *world {
		return newWorld(t, emulator.WithLikeCloud(emulator.Lag), emulator.WithData(dir), emulator.WithManualClock(now))
	}
	w := start(kinesisNoon)
	w.createTable(t)
	w.addReplica(t, "us-east-1", "eu-west-1")
	w.put(t, "us-east-1", "a", "1")
	if err := errors.Join(w.emulator.Advance(5*time.Second), w.emulator.Close()); err != nil {
		t.Fatal(err)
	}
	w = start(kinesisNoon.Add(-time.Hour))
	w.put(t, "eu-west-1", "a", "2")
	if err := w.emulator.Advance(5 * time.Second); err != nil {
		t.Fatal(err)
	}
	w.wantItems(t, map[string]string{"a": "2"}, "us-east-1", "eu-west-1")
}

// TestDeletedReplicasLoseNoWrites checks that writes of a replica that did not arrive yet arrive before it is deleted.
func TestDeletedReplicasLoseNoWrites(t *testing.T) {
	t.Parallel()
	w := newWorld(t, emulator.WithLikeCloud(emulator.Lag))
	w.createTable(t)
	w.addReplica(t, "us-east-1", "eu-west-1")
	w.put(t, "eu-west-1", "a", "1")
	if _, err := w.in["us-east-1"].UpdateTable(t.Context(), removingReplica("eu-west-1")); err != nil {
		t.Fatal(err)
	}
	w.wantItems(t, map[string]string{"a": "1"}, "us-east-1")
}
