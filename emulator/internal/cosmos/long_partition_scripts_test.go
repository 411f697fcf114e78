package cosmos

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/lag"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// TestAPartitionIsListedOnce checks that the pages of one script share the list of a partition without an index.
func TestAPartitionIsListedOnce(t *testing.T) {
	t.Parallel()
	d := longPartition(t, "a", "b", `{"id":"c","partitionKey":{"paths":["/pk"],"version":2}}`)
	if err := d.store.View(func(r *store.Reader) error {
		v := lag.Stored(r)
		rids := d.Catalog.Container("db", "c").PartitionRIDs(&v, nil, doc.PartitionKey{doc.String("a")})
		all, err := rids.After(0)
		if err != nil || len(all) != longItems {
			return fmt.Errorf("%d rids, %w", len(all), err)
		}
		rest, err := rids.After(all[99])
		if err != nil || len(rest) != longItems-100 || &rest[0] != &all[100] {
			t.Errorf("%d rids after the first page, in another list, %v", len(rest), err)
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
}

// readPages is a procedure that reads all items, page by page, and returns their ids. If it is given the id of a new
// item, it also creates that after the first page, deletes the first item and replaces the second.
const readPages = `function(way, created) {
	const c = getContext().getCollection(), ids = [];
	function page(next) {
		const o = {pageSize: 400, continuation: next};
		const ok = way === 'list' ? c.readDocuments(c.getSelfLink(), o, take)
			: c.queryDocuments(c.getSelfLink(), 'SELECT * FROM c', o, take);
		if (!ok) throw new Error('not accepted');
	}
	function take(err, feed, options) {
		if (err) throw err;
		if (ids.length === 0 && created) {
			c.createDocument(c.getSelfLink(), {id: created, pk: 'a'});
			c.deleteDocument(feed[0]._self);
			c.replaceDocument(feed[1]._self, {id: feed[1].id, pk: 'a', more: 1});
		}
		feed.forEach(x => ids.push(x.id));
		options.continuation ? page(options.continuation) : getContext().getResponse().setBody(ids.join());
	}
	page();
}`

// TestScriptsReadOnlyTheirPagesOfLongPartitions reads a long partition in scripts, which see what they write meanwhile.
// Once there is an index, they no longer list all its items.
func TestScriptsReadOnlyTheirPagesOfLongPartitions(t *testing.T) {
	t.Parallel()
	d := longPartition(t, "a", "b", `{"id":"c","partitionKey":{"paths":["/pk"],"version":2}}`)
	d.limitScripts(time.Minute)
	d.mustSend(t, http.MethodPost, "/dbs/db/colls/c/sprocs\n"+doc.Object(doc.Member{Name: "id",
		Value: doc.String("read")}, doc.Member{Name: "body", Value: doc.String(readPages)}).JSON())
	var want []string
	for i := range longItems {
		want = append(want, longID(i))
	}
	for _, args := range []string{`["list","new1"]`, `["query","new2"]`, `["list","new3"]`, `["list"]`, `["query"]`} {
		_, created, writes := strings.Cut(args, ",")
		if writes {
			want = append(want, strings.Trim(created, `"]`))
		} else {
			d.buildItemIndex(t)
			d.forgetIdentities(t, "a")
		}
		status, body := d.execute(t, "read", args)
		if got := strings.Split(strings.Trim(body, `"`), ","); status != http.StatusOK || !slices.Equal(got, want) {
			t.Fatalf("%s: %d %.200s, %d items of %d", args, status, body, len(got), len(want))
		}
		if writes {
			want = want[1:]
		}
	}
}
