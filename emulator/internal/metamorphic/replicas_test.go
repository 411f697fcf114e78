package metamorphic

import (
	"encoding/json"
	"fmt"
	"slices"
	"sort"
	"strings"
	"time"
)

// streamReplica is the table rebuilt from its stream.
type streamReplica struct {
	seen  map[string]bool // events
	items map[string]string
}

// record is a record of a stream.
type record struct {
	EventID, EventName string
	Dynamodb           struct{ Keys, NewImage, OldImage any }
}

// drain reads the stream to its end, and applies new records. It returns the new events of each item in order.
func (r *runner) drain() string {
	arn := r.amazon("DescribeTable", `{"TableName":"things"}`).text("Table", "LatestStreamArn")
	if r.stream.seen == nil {
		r.stream.seen = map[string]bool{}
	}
	events := map[string][]string{}
	for _, id := range r.shards(arn) {
		at := r.amazon("GetShardIterator", fmt.Sprintf(`{"StreamArn":%q,"ShardId":%q,"ShardIteratorType":"TRIM_HORIZON"}`,
			arn, id)).text("ShardIterator")
		for range 1000 {
			answer := r.amazon("GetRecords", fmt.Sprintf(`{"ShardIterator":%q}`, at))
			if answer.status != 200 {
				r.problem("reading the stream: %s", answer.normal())
			}
			n := r.applyRecords(answer.body, events)
			if at = answer.text("NextShardIterator"); at == "" || n == 0 {
				break
			}
		}
	}
	return perItem(events)
}

// shards returns the shards of a stream, parents before children.
func (r *runner) shards(arn string) (ids []string) {
	for _, one := range r.amazon("DescribeStream", fmt.Sprintf(`{"StreamArn":%q}`, arn)).list("StreamDescription",
		"Shards") {
		ids = append(ids, one.(map[string]any)["ShardId"].(string))
	}
	return ids
}

func (r *runner) applyRecords(body []byte, events map[string][]string) int {
	var page struct{ Records []record }
	if err := json.Unmarshal(body, &page); err != nil {
		r.problem("records: %v", err)
	}
	for _, one := range page.Records {
		if r.stream.seen[one.EventID] {
			continue
		}
		r.stream.seen[one.EventID] = true
		name := nameOf(one.Dynamodb.Keys)
		before := r.stream.items[name]
		if one.Dynamodb.OldImage != nil && compact(one.Dynamodb.OldImage) != before {
			r.problem("the stream says that item %s was %s, and before that %s", name, compact(one.Dynamodb.OldImage), before)
		}
		if delete(r.stream.items, name); one.Dynamodb.NewImage != nil {
			r.stream.items[name] = compact(one.Dynamodb.NewImage)
		}
		events[name] = append(events[name], one.EventName+r.stream.items[name])
	}
	return len(page.Records)
}

// perItem formats the events of each item, in the order of the items' names.
func perItem(events map[string][]string) string {
	var all []string
	for name, some := range events {
		all = append(all, name+": "+strings.Join(some, " "))
	}
	sort.Strings(all)
	return strings.Join(all, "\n")
}

// feedReplica is the container rebuilt from its all versions and deletes change feed.
type feedReplica struct {
	at    string
	items map[string]string
}

// follow reads the change feed to its end, and applies it.
func (r *runner) follow() string {
	events := map[string][]string{}
	for range 1000 {
		answer := r.azure("GET", "/dbs/db/colls/c/docs", "", "A-IM", "Full-Fidelity Feed", "If-None-Match", r.feed.at,
			"x-ms-max-item-count", "7", "x-ms-cosmos-changefeed-wire-format-version", "2021-09-15")
		if answer.status != 200 && answer.status != 304 {
			r.problem("the change feed of all versions: %s", answer.normal())
		}
		if answer.status == 0 {
			break
		}
		if r.feed.at = answer.header.Get("Etag"); answer.status != 200 {
			break
		}
		for _, one := range answer.list("Documents") {
			r.applyVersion(one, events)
		}
	}
	return perItem(events)
}

func (r *runner) applyVersion(v any, events map[string][]string) {
	var one struct {
		Current  map[string]any
		Metadata struct {
			OperationType, ID string
			PartitionKey      map[string]string
		}
	}
	if err := json.Unmarshal(must(json.Marshal(v)), &one); err != nil {
		r.problem("the change feed of all versions: %v", err)
		return
	}
	name := "c/" + one.Metadata.PartitionKey["pk"] + "/" + one.Metadata.ID
	if one.Metadata.OperationType != "delete" {
		name = docName(one.Current)
	}
	_, there := r.feed.items[name]
	if there == (one.Metadata.OperationType == "create") {
		r.problem("the change feed says %s of item %s, which is there: %t", one.Metadata.OperationType, name, there)
	}
	if delete(r.feed.items, name); one.Metadata.OperationType != "delete" {
		r.feed.items[name] = compact(one.Current)
	}
	events[name] = append(events[name], one.Metadata.OperationType+r.feed.items[name])
}

func must(text []byte, err error) []byte {
	if err != nil {
		panic(err)
	}
	return text
}

// saved is the table at a moment.
type saved struct {
	at    time.Time
	items map[string]string
}

// table returns all items of a DynamoDB table, or of an index, by name.
func (r *runner) table(name, index string) map[string]string {
	items := map[string]string{}
	body, from := `{"TableName":"`+name+`","ConsistentRead":true`, ""
	if index != "" {
		body = `{"TableName":"` + name + `","IndexName":"` + index + `"`
	}
	for {
		page := r.amazon("Scan", body+from+"}")
		if page.status != 200 {
			r.problem("scanning %s %s: %s", name, index, page.normal())
			return items
		}
		for _, one := range page.list("Items") {
			if _, twice := items[nameOf(one)]; twice {
				r.problem("%s %s has item %s twice", name, index, nameOf(one))
			}
			items[nameOf(one)] = compact(one)
		}
		last := page.field("LastEvaluatedKey")
		if last == nil {
			return items
		}
		from = `,"ExclusiveStartKey":` + compact(last)
	}
}

// same checks that two representations of the same data are equal.
func (r *runner) same(what string, got, want map[string]string) {
	var names []string
	for name := range got {
		names = append(names, name)
	}
	for name := range want {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		if got[name] != want[name] {
			r.problem("%s: item %s is %q, want %q", what, name, got[name], want[name])
		}
	}
}

// backUp creates a backup, writes, and restores the backup to another table, which must equal the original at the time
// of the backup.
func (r *runner) backUp(name string) string {
	want := r.table("things", "")
	made := r.amazon("CreateBackup", `{"TableName":"things","BackupName":"`+name+`"}`)
	meanwhile := r.amazon("PutItem",
		`{"TableName":"things","Item":{"pk":{"S":"a"},"sk":{"N":"0"},"amount":{"N":"1"},"note":{"S":"after the backup"}}}`)
	r.rememberIfLags("d/a/0")
	restored := r.amazon("RestoreTableFromBackup", fmt.Sprintf(`{"BackupArn":%q,"TargetTableName":%q}`,
		made.text("BackupDetails", "BackupArn"), name))
	r.same("the restored backup", r.table(name, ""), want)
	gone := r.amazon("DeleteTable", fmt.Sprintf(`{"TableName":%q}`, name))
	return fmt.Sprint(made.status, meanwhile.normal(), restored.status, gone.status)
}

// recover restores the table to an earlier point in time.
func (r *runner) recover() string {
	streamed := r.drain()
	r.advance(time.Second)
	mark := saved{r.Now(), r.table("things", "")}
	r.advance(time.Second)
	written := r.amazon("PutItem",
		`{"TableName":"things","Item":{"pk":{"S":"b"},"sk":{"N":"1"},"amount":{"N":"2"},"note":{"S":"after the mark"}}}`)
	r.rememberIfLags("d/b/1")
	r.advance(6 * time.Minute)
	restored := r.amazon("RestoreTableToPointInTime",
		fmt.Sprintf(`{"SourceTableName":"things","TargetTableName":"recovered","RestoreDateTime":%d}`, mark.at.Unix()))
	r.same("the table as it was", r.table("recovered", ""), mark.items)
	gone := r.amazon("DeleteTable", `{"TableName":"recovered"}`)
	return fmt.Sprint(streamed, written.normal(), restored.status, gone.status)
}

func (r *runner) rememberIfLags(item string) {
	if r.config.lags {
		r.remember(item)
	}
}
