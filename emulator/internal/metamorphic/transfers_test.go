package metamorphic

import (
	"encoding/json"
	"fmt"
	"net/http"
	"path"
	"strings"
)

// Transfers are exports, imports and bulk puts, through the bucket "transfers".

// transferred is the definition of a table that is imported: the keys and the global index of "things". An import
// cannot create a local index or a stream.
const transferred = `{"TableName":"%s","BillingMode":"PAY_PER_REQUEST","KeySchema":[{"AttributeName":"pk","KeyType":"HASH"},{"AttributeName":"sk","KeyType":"RANGE"}],
	"AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"},{"AttributeName":"sk","AttributeType":"N"},{"AttributeName":"state","AttributeType":"S"},{"AttributeName":"amount","AttributeType":"N"}],
	"GlobalSecondaryIndexes":[{"IndexName":"by-state","KeySchema":[{"AttributeName":"state","KeyType":"HASH"},{"AttributeName":"amount","KeyType":"RANGE"}],"Projection":{"ProjectionType":"ALL"}}]}`

// transfer returns an operation that transfers items, or the whole table. Tables have new names: an import refuses the
// name of one that began in the last 90 seconds.
func (g dynamoGenerator) transfer() operation {
	id := fmt.Sprint(g.IntN(1e9))
	switch g.IntN(4) {
	case 0:
		items, _ := g.items(2 + g.IntN(30))
		return operation{name: "import " + strings.Join(items, " "), run: func(r *runner) string {
			return r.importItems("imported-"+id, items)
		}}
	case 1:
		format := []string{"DYNAMODB_JSON", "ION"}[g.IntN(2)]
		return operation{name: "export as " + format + ", import", run: func(r *runner) string {
			return r.exportAndImport("copied-"+id, format)
		}}
	case 2:
		items, names := g.items(1 + g.IntN(20))
		return operation{name: "bulk put " + strings.Join(items, " "), writes: names, run: func(r *runner) string {
			return r.bulkPut("bulk-"+id, items, names)
		}}
	}
	what := []string{"import", "export", "bulk put"}[g.IntN(3)]
	return operation{name: "killed in the middle of an " + what, run: func(r *runner) string {
		return r.killed(what, "killed-"+id)
	}}
}

// items returns random items, some with the same key, and their names.
func (g dynamoGenerator) items(n int) (items, names []string) {
	for range n {
		pk, sk := g.pick()
		items, names = append(items, g.item(pk, sk)), append(names, itemName(pk, sk))
	}
	return items, names
}

// putObject creates an object in the bucket, and the bucket: another emulator may not have it.
func (r *runner) putObject(key, content string) {
	header := http.Header{"X-Amz-Content-Sha256": {"UNSIGNED-PAYLOAD"}, "X-Amz-Date": {"20261121T120000Z"},
		"Authorization": {"AWS4-HMAC-SHA256 Credential=test/20261121/us-east-1/s3/aws4_request, SignedHeaders=host, Signature=0"}}
	r.send(http.MethodPut, r.DynamoDBURL()+"/transfers", "", header)
	if answer := r.send(http.MethodPut, r.DynamoDBURL()+"/transfers/"+key, content, header); answer.status != 200 {
		r.problem("creating an object: %s", answer.normal())
	}
}

// objectOf returns the content of an object with items.
func objectOf(items []string) string {
	var content strings.Builder
	for _, it := range items {
		content.WriteString(`{"Item":` + it + "}\n")
	}
	return content.String()
}

// ended describes a transfer until it has ended. The path leads to its status.
func (r *runner) ended(operation, body string, status ...string) reply {
	for {
		if answer := r.amazon(operation, body); answer.text(status...) != "IN_PROGRESS" {
			return answer
		}
	}
}

// importRequest returns a request that imports the objects under a prefix into a table.
func importRequest(table, prefix, format, compression string) string {
	return fmt.Sprintf(`{"ClientToken":%q,"S3BucketSource":{"S3Bucket":"transfers","S3KeyPrefix":%q},"InputFormat":%q,`+
		`"InputCompressionType":%q,"TableCreationParameters":%s}`, table, prefix, format, compression,
		fmt.Sprintf(transferred, table))
}

// importInto imports objects and returns the description of the import.
func (r *runner) importInto(table, prefix, format, compression string) reply {
	arn := r.amazon("ImportTable", importRequest(table, prefix, format, compression)).text("ImportTableDescription",
		"ImportArn")
	return r.ended("DescribeImport", fmt.Sprintf(`{"ImportArn":%q}`, arn), "ImportTableDescription", "ImportStatus")
}

// sameTables compares a table with what it was made from, and their indexes unless these lag.
func (r *runner) sameTables(what, got, want string) {
	r.same(what, r.table(got, ""), r.table(want, ""))
	if !r.config.lags {
		r.same(what+", its index", r.table(got, "by-state"), r.table(want, "by-state"))
	}
}

// drop deletes tables.
func (r *runner) drop(tables ...string) {
	for _, table := range tables {
		if answer := r.amazon("DeleteTable", fmt.Sprintf(`{"TableName":%q}`, table)); answer.status != 200 {
			r.problem("deleting %s: %s", table, answer.normal())
		}
	}
}

// importItems imports items of two objects, and puts the same ones one after the other: the tables are the same.
func (r *runner) importItems(table string, items []string) string {
	half := len(items) / 2
	r.putObject(table+"/1.json", objectOf(items[:half]))
	r.putObject(table+"/2.json", objectOf(items[half:]))
	imported := r.importInto(table, table+"/", "DYNAMODB_JSON", "NONE")
	if n, _ := imported.field("ImportTableDescription", "ImportedItemCount").(float64); int(n) != len(items) {
		r.problem("%d items were imported: %s", len(items), imported.normal())
	}
	put := table + "-put"
	r.amazon("CreateTable", fmt.Sprintf(transferred, put))
	for _, it := range items {
		if answer := r.amazon("PutItem", fmt.Sprintf(`{"TableName":%q,"Item":%s}`, put, it)); answer.status != 200 {
			r.problem("putting an item: %s", answer.normal())
		}
	}
	r.sameTables("the imported table", table, put)
	r.drop(table, put)
	return imported.text("ImportTableDescription", "ImportStatus")
}

// exportAndImport exports the table and imports the export: the tables are the same.
func (r *runner) exportAndImport(table, format string) string {
	arn := r.amazon("DescribeTable", `{"TableName":"things"}`).text("Table", "TableArn")
	begun := r.amazon("ExportTableToPointInTime", fmt.Sprintf(
		`{"TableArn":%q,"S3Bucket":"transfers","S3Prefix":%q,"ExportFormat":%q}`, arn, table, format))
	if begun.text("ExportDescription", "ExportArn") == "" {
		r.problem("exporting the table: %s", begun.normal())
		return ""
	}
	exported := r.ended("DescribeExport", fmt.Sprintf(`{"ExportArn":%q}`, begun.text("ExportDescription", "ExportArn")),
		"ExportDescription", "ExportStatus")
	if exported.text("ExportDescription", "FailureCode") == "S3NoSuchBucket" { // there was no transfer before
		r.putObject("first", "")
		return r.exportAndImport(table, format)
	}
	data := path.Dir(exported.text("ExportDescription", "ExportManifest")) + "/data/"
	imported := r.importInto(table, data, format, "GZIP")
	r.sameTables("the table that was exported and imported", table, "things")
	r.drop(table)
	return fmt.Sprint(exported.field("ExportDescription", "ItemCount"),
		imported.field("ImportTableDescription", "ImportedItemCount"))
}

// bulkPut puts items into the table of the history. The last valid one of each key stays, and nothing else changes.
func (r *runner) bulkPut(key string, items, names []string) string {
	want, valid := r.table("things", ""), r.validItem()
	invalid := 0
	for i, it := range items {
		if valid(it) {
			want[names[i]] = canonical([]byte(it))
		} else {
			invalid++
		}
	}
	r.putObject(key+"/1.json", objectOf(items))
	answer := r.bulk("things", key+"/")
	r.same("the table after bulk puts", r.table("things", ""), want)
	if n, _ := answer.field("BulkOperationDescription", "FailedItemCount").(float64); int(n) != invalid {
		r.problem("%d items are invalid: %s", invalid, answer.normal())
	}
	return fmt.Sprint(answer.text("BulkOperationDescription", "BulkOperationStatus"),
		answer.field("BulkOperationDescription", "ProcessedItemCount"))
}

// validItem returns whether the table of the history takes an item: a key attribute of an index cannot be empty.
func (r *runner) validItem() func(string) bool {
	indexed := strings.Contains(string(r.amazon("DescribeTable", `{"TableName":"things"}`).body), `"by-note"`)
	return func(it string) bool { return !indexed || !strings.Contains(it, `"note":{"S":""}`) }
}

func bulkRequest(table, prefix string) string {
	return fmt.Sprintf(`{"TableName":%q,"InputS3Configuration":{"S3Bucket":"transfers","S3KeyPrefix":%q,"InputFormat":"DYNAMODB_JSON"},`+
		`"OutputS3Configuration":{"S3Bucket":"transfers","S3KeyPrefix":"report/","OutputType":["ERROR"]}}`, table, prefix)
}

// bulk puts objects into a table and returns the description of the operation.
func (r *runner) bulk(table, prefix string) reply {
	arn := r.amazon("StartBulkPutItems", bulkRequest(table, prefix)).text("BulkOperationDescription", "BulkOperationArn")
	return r.ended("DescribeBulkOperation", fmt.Sprintf(`{"BulkOperationArn":%q}`, arn), "BulkOperationDescription",
		"BulkOperationStatus")
}

// The items of a transfer that is killed: enough for several of its transactions.
const killedItems = 250

// killed takes a snapshot in the middle of a transfer: what a process leaves that is killed at that moment. In an
// emulator that begins with it, the transfer has failed or is complete, and nothing is half done: an import left no
// table, an export no manifest, a bulk operation the items that it had written, which are the first ones.
func (r *runner) killed(what, table string) string {
	var items []string
	for i := range killedItems {
		items = append(items, fmt.Sprintf(`{"pk":{"S":"k"},"sk":{"N":"%d"},"note":{"S":"%s"}}`, i,
			strings.Repeat("x", 10_000)))
	}
	r.putObject(table+"/1.json", objectOf(items))
	request, body := "ImportTable", importRequest(table, table+"/", "DYNAMODB_JSON", "NONE")
	switch what {
	case "export":
		arn := r.amazon("DescribeTable", `{"TableName":"things"}`).text("Table", "TableArn")
		request, body = "ExportTableToPointInTime", fmt.Sprintf(`{"TableArn":%q,"S3Bucket":"transfers"}`, arn)
	case "bulk put":
		r.amazon("CreateTable", fmt.Sprintf(transferred, table))
		request, body = "StartBulkPutItems", bulkRequest(table, table+"/")
	}
	done := make(chan reply, 1)
	go func() { done <- r.amazon(request, body) }()
	r.awaitTransfer(what, done)
	s, err := r.Snapshot()
	if err != nil {
		r.problem("a snapshot in the middle of an %s: %v", what, err)
	}
	r.awaitEnd(what)
	if what != "export" {
		r.drop(table)
	}
	if err == nil {
		err = r.elsewhere(func() error {
			if err := r.Restore(s); err != nil {
				return err
			}
			r.checkKilled(what, table)
			return nil
		})
	}
	if err != nil {
		r.problem("a snapshot in the middle of an %s: %v", what, err)
	}
	return what
}

// transferLists are how transfers are listed, by kind.
var transferLists = map[string]struct{ operation, list, status, arn, describe, description string }{
	"import": {"ListImports", "ImportSummaryList", "ImportStatus", "ImportArn", "DescribeImport",
		"ImportTableDescription"},
	"export": {"ListExports", "ExportSummaries", "ExportStatus", "ExportArn", "DescribeExport", "ExportDescription"},
	"bulk put": {"ListBulkOperations", "BulkOperationsSummaryList", "BulkOperationStatus", "BulkOperationArn",
		"DescribeBulkOperation", "BulkOperationDescription"},
}

// transfers returns the transfers of a kind.
func (r *runner) transfers(what string) (all []map[string]any) {
	l := transferLists[what]
	answer := r.amazon(l.operation, `{}`)
	for _, one := range answer.list(l.list) {
		all = append(all, one.(map[string]any))
	}
	if answer.status != 200 {
		r.problem("%s: %s", l.operation, answer.normal())
	}
	return all
}

func (r *runner) inProgress(what string) bool {
	for _, one := range r.transfers(what) {
		if one[transferLists[what].status] == "IN_PROGRESS" {
			return true
		}
	}
	return false
}

// awaitTransfer waits until a transfer is in progress, or the answer to its request is there.
func (r *runner) awaitTransfer(what string, done chan reply) {
	for !r.inProgress(what) {
		select {
		case answer := <-done:
			if answer.status != 200 {
				r.problem("beginning an %s: %s", what, answer.normal())
			}
			return
		default:
		}
	}
}

func (r *runner) awaitEnd(what string) {
	for r.inProgress(what) {
	}
}

// elsewhere runs a check in another emulator of the same configuration, in memory.
func (r *runner) elsewhere(check func() error) error {
	here, dir := r.target, r.dir
	defer func() { r.target, r.dir = here, dir }()
	r.dir = ""
	if err := r.open(here.Now()); err != nil {
		return err
	}
	defer func() { _ = r.close() }()
	return check()
}

// checkKilled checks what is left of a transfer to a table, or of the exports.
func (r *runner) checkKilled(what, table string) {
	l := transferLists[what]
	complete := false
	for _, one := range r.transfers(what) {
		answer := r.amazon(l.describe, fmt.Sprintf(`{%q:%q}`, l.arn, one[l.arn]))
		status := answer.text(l.description, l.status)
		if status == "IN_PROGRESS" {
			r.problem("an %s of a process that was killed is in progress: %s", what, answer.normal())
		}
		manifest := answer.text(l.description, "ExportManifest")
		if what == "export" && (status == "COMPLETED") != (manifest != "") {
			r.problem("an export that is %s has the manifest %q", status, manifest)
		}
		if strings.Contains(string(must(json.Marshal(one))), "/"+table) && status == "COMPLETED" {
			complete = true
		}
	}
	switch what {
	case "import":
		r.checkKilledImport(table, complete)
	case "bulk put":
		r.checkKilledBulk(table, complete)
	}
}

func (r *runner) checkKilledImport(table string, complete bool) {
	there := r.amazon("DescribeTable", fmt.Sprintf(`{"TableName":%q}`, table)).status == 200
	if there != complete {
		r.problem("an import is complete: %t, and its table exists: %t", complete, there)
	}
	if !there {
		return
	}
	if n := len(r.table(table, "")); n != killedItems {
		r.problem("a complete import has %d items", n)
	}
}

func (r *runner) checkKilledBulk(table string, complete bool) {
	items := r.table(table, "")
	for i := range len(items) {
		if items[itemName("k", i)] == "" {
			r.problem("of %d items that a bulk operation left, item %d is missing", len(items), i)
			break
		}
	}
	if complete && len(items) != killedItems {
		r.problem("a complete bulk operation has put %d items", len(items))
	}
}
