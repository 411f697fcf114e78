package dynamo_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/internal/testutil/concurrently"
	"github.com/tabletop-db/tabletop/internal/testutil/seeds"
)

// TestPagesUnderAMovingClock reads tables and indexes from lagging replicas, while items are written and the clock
// makes steps in which everything arrives at once. Each write changes the rank and the city of an item, and no item is
// ever deleted: a page of the table or of an index has each item once, and a page of the local index is in its order
// and equal to the table's items.
func TestPagesUnderAMovingClock(t *testing.T) {
	t.Parallel()
	seeds.Run(t, 2, func(t *testing.T, seed uint64) {
		const writers, rounds = 4, 150
		c := laggingService(t)
		for w := range movingPeople {
			c.movePerson(t, w, 1)
		}
		if err := c.clock.Advance(time.Minute); err != nil {
			t.Fatal(err)
		}
		var wg sync.WaitGroup
		for w := range writers {
			wg.Go(func() {
				for n := range rounds {
					for who := w; who < movingPeople; who += writers {
						c.movePerson(t, who, n+2)
					}
				}
			})
		}
		stop := concurrently.Advance(t, seed, 6*time.Second, c.clock.Advance)
		random := rand.New(rand.NewPCG(seed, 1))
		concurrently.ReadUntilDone(&wg, func() { c.lookWhileMoving(t, random.IntN(len(movingReads))) })
		stop()
	})
}

// movingPeople is the number of items.
const movingPeople = 40

// movingReads are the reads that return every item.
var movingReads = []struct{ operation, request string }{
	{"Query", `{"TableName":"people","KeyConditionExpression":"id = :i","ExpressionAttributeValues":{":i":{"S":"all"}}}`},
	{"Query", `{"TableName":"people","IndexName":"by-rank","Select":"ALL_ATTRIBUTES","KeyConditionExpression":"id = :i","ExpressionAttributeValues":{":i":{"S":"all"}}}`},
	{"Query", `{"TableName":"people","IndexName":"by-rank","Select":"ALL_ATTRIBUTES","ScanIndexForward":false,"KeyConditionExpression":"id = :i","ExpressionAttributeValues":{":i":{"S":"all"}}}`},
	{"Scan", `{"TableName":"people","IndexName":"by-city"}`},
	{"Scan", `{"TableName":"people"}`},
}

// movePerson writes version n of an item.
func (c *conversation) movePerson(t *testing.T, who, n int) {
	w := c.post("DynamoDB_20120810.PutItem",
		fmt.Sprintf(`{"TableName":"people","Item":{"id":{"S":"all"},"part":{"S":"%d"},"version":{"N":"%d"},`+
			`"rank":{"N":"%d"},"city":{"S":"c%d"}}}`, who, n, (who*7919+n*104729)%1000, (who+n*31)%97))
	if w.Code != http.StatusOK {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}

// lookWhileMoving checks that one read shows a state of a single moment.
func (c *conversation) lookWhileMoving(t *testing.T, which int) {
	read := movingReads[which]
	w := c.post("DynamoDB_20120810."+read.operation, read.request)
	var page struct {
		Items []struct {
			Part          struct{ S string }
			Version, Rank struct {
				N int `json:",string"`
			}
		}
	}
	if err := json.Unmarshal(w.Body.Bytes(), &page); err != nil || w.Code != http.StatusOK {
		t.Errorf("%s: %d %s: %v", read.request, w.Code, w.Body, err)
		return
	}
	count := map[string]int{}
	for i, one := range page.Items {
		count[one.Part.S]++
		if (which == 1 || which == 2) && i > 0 {
			if before := page.Items[i-1].Rank.N; which == 1 && before > one.Rank.N || which == 2 && before < one.Rank.N {
				t.Errorf("%s: an item of rank %d comes after one of %d", read.request, one.Rank.N, before)
			}
		}
	}
	for who := range movingPeople {
		if n := count[fmt.Sprint(who)]; n != 1 {
			t.Errorf("%s: item %d is there %d times", read.request, who, n)
		}
	}
}
