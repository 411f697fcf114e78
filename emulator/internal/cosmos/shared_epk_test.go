package cosmos

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
)

// TestReadsOfOnePartitionTellLongKeysApart reads one of two partitions whose keys are equal in the characters that
// version 1 of the hash considers, with and without indexes.
func TestReadsOfOnePartitionTellLongKeysApart(t *testing.T) {
	t.Parallel()
	for _, indexed := range []bool{false, true} {
		t.Run(fmt.Sprintf("indexed %t", indexed), func(t *testing.T) {
			t.Parallel()
			d := newTestService(t).indexed(indexed)
			d.mustSend(t, http.MethodPost, "/dbs\n"+`{"id":"db"}`)
			d.mustSend(t, http.MethodPost, "/dbs/db/colls\n"+
				`{"id":"c","partitionKey":{"paths":["/pk"]},"changeFeedPolicy":{"retentionDuration":60}}`)
			now := d.send(t, http.MethodGet, sparseFeed+"\na-im: Full-Fidelity Feed\nif-none-match: *").Header().Get("Etag")
			same := strings.Repeat("x", 100)
			for i := range 6 {
				key := same + "ab"[i%2:i%2+1]
				d.mustSend(t, http.MethodPost, fmt.Sprintf(sparseFeed+"\npk: [%q]\n"+`{"id":"%d","pk":%[1]q,"n":%[2]d}`, key, i))
			}
			d.checkLongKey(t, same+"b", now)
			d.send(t, http.MethodPost, fmt.Sprintf("/dbs/db/colls/c/operations/partitionkeydelete\npk: [%q]", same+"b"))
			if ids := d.idsOf(t, http.MethodGet, http.Header{}, ""); !slices.Equal(ids, []string{"0", "2", "4"}) {
				t.Errorf("after the other partition was deleted: %v", ids)
			}
		})
	}
}

// checkLongKey reads the partition of a key, which has the items 1, 3 and 5, in each way.
func (d *testService) checkLongKey(t *testing.T, key, now string) {
	t.Helper()
	header := func(more ...string) http.Header {
		h := http.Header{"X-Ms-Documentdb-Partitionkey": {fmt.Sprintf("[%q]", key)}, "X-Ms-Max-Item-Count": {"2"}}
		for i := 0; i < len(more); i += 2 {
			h.Set(more[i], more[i+1])
		}
		return h
	}
	for text, want := range map[string][]string{
		"SELECT * FROM c":                             {"1", "3", "5"},
		"SELECT c.id FROM c WHERE c.n > 1":            {"3", "5"},
		"SELECT c.id FROM c WHERE c.n = 2 OR c.n = 3": {"3"},
		"SELECT c.id FROM c ORDER BY c.n DESC":        {"5", "3", "1"},
		"SELECT DISTINCT c.id FROM c ORDER BY c.id":   {"1", "3", "5"},
		"SELECT COUNT(1) AS id FROM c":                {"3"},
		"SELECT COUNT(1) AS id FROM c WHERE c.n < 3":  {"1"},
		"SELECT SUM(c.n) AS id FROM c":                {"9"},
	} {
		ids := d.idsOf(t, http.MethodPost, header("X-Ms-Documentdb-Isquery", "True", "Content-Type",
			"application/query+json"), fmt.Sprintf(`{"query":%q}`, text))
		if !slices.Equal(ids, want) {
			t.Errorf("%s: %v, want %v", text, ids, want)
		}
	}
	inFilter := http.Header{"X-Ms-Documentdb-Isquery": {"True"}, "Content-Type": {"application/query+json"}}
	if ids := d.idsOf(t, http.MethodPost, inFilter, fmt.Sprintf(`{"query":"SELECT * FROM c WHERE c.pk = '%s'"}`,
		key)); !slices.Equal(ids, []string{"1", "3", "5"}) {
		t.Errorf("with the key in the filter: %v", ids)
	}
	for name, h := range map[string]http.Header{
		"items":           header(),
		"latest versions": header("A-Im", "Incremental Feed"),
		"all versions":    header("A-Im", "Full-Fidelity Feed", "If-None-Match", now),
	} {
		if ids := d.idsOf(t, http.MethodGet, h, ""); !slices.Equal(ids, []string{"1", "3", "5"}) {
			t.Errorf("%s: %v", name, ids)
		}
	}
}

// idsOf returns the ids in all pages of a query or a feed.
func (d *testService) idsOf(t *testing.T, method string, header http.Header, body string) (ids []string) {
	t.Helper()
	for {
		w := d.do(t, method, sparseFeed, header, []byte(body))
		if w.Code == http.StatusNotModified {
			return ids
		}
		if w.Code != http.StatusOK {
			t.Fatal(w.Code, w.Body)
		}
		for _, v := range parsed(t, w.Body.Bytes()).Field("Documents").Elements() {
			if v.Field("current").Defined() {
				v = v.Field("current")
			}
			ids = append(ids, strings.Trim(v.Field("id").JSON(), `"`))
		}
		next := w.Header().Get("X-Ms-Continuation")
		switch etag := w.Header().Get("Etag"); {
		case header.Get("A-Im") != "":
			header.Set("If-None-Match", etag)
		case next == "":
			return ids
		default:
			header.Set("X-Ms-Continuation", next)
		}
	}
}

// TestDeletesOfLongKeysAtANestedPath reads the deletes of one of two partitions whose keys are equal in the characters
// that version 1 of the hash considers. Their versions have only the id and the key, not the document.
func TestDeletesOfLongKeysAtANestedPath(t *testing.T) {
	t.Parallel()
	d := newTestService(t)
	d.mustSend(t, http.MethodPost, "/dbs\n"+`{"id":"db"}`)
	d.mustSend(t, http.MethodPost, "/dbs/db/colls\n"+
		`{"id":"c","partitionKey":{"paths":["/a/b"]},"changeFeedPolicy":{"retentionDuration":60}}`)
	now := d.send(t, http.MethodGet, sparseFeed+"\na-im: Full-Fidelity Feed\nif-none-match: *").Header().Get("Etag")
	same := strings.Repeat("x", 100)
	for _, id := range []string{"1", "2"} {
		d.mustSend(t, http.MethodPost, fmt.Sprintf(sparseFeed+"\npk: [%q]\n"+`{"id":%q,"a":{"b":%[1]q}}`, same+id, id))
		d.mustSend(t, http.MethodDelete, fmt.Sprintf(sparseFeed+"/%s\npk: [%q]", id, same+id))
	}
	for _, id := range []string{"1", "2"} {
		w := d.do(t, http.MethodGet, sparseFeed, http.Header{"X-Ms-Documentdb-Partitionkey": {fmt.Sprintf("[%q]", same+id)},
			"A-Im": {"Full-Fidelity Feed"}, "If-None-Match": {now}}, nil)
		var got []string
		for _, v := range parsed(t, w.Body.Bytes()).Field("Documents").Elements() {
			metadata := v.Field("metadata")
			got = append(got, metadata.Field("operationType").Str()+v.Field("current").Field("id").Str()+
				metadata.Field("id").Str())
		}
		if want := []string{"create" + id, "delete" + id}; !slices.Equal(got, want) {
			t.Errorf("the partition of %s: %v, want %v", id, got, want)
		}
	}
}
