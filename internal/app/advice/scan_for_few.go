package advice

// scanForFew finds scans whose filter throws away most of what they read, and which come again: a query would read only
// what is needed. A scan that keeps what it reads, such as that of an export, is no finding, and neither is a single
// one.
var scanForFew = Rule{
	ID:     "scan-for-few",
	Title:  "scans that read many items to return a few",
	Source: "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-query-scan.html",
	watch: func(v *Review) watcher {
		return dynamoDB{&filters{review: v,
			operation: "Scan", plural: "scans", remedy: queryInstead, of: map[string]*filtered{}}}
	},
}

// queryInstead names the index that a query needs to read what a scan searches for.
func queryInstead(v *Review, scan *Request) string {
	compared, ok := equalTo(scan.Body, "FilterExpression")
	if !ok {
		return "Query the table or an index whose key is what the filter compares"
	}
	if of := v.withKey(scan.table(), compared.name, ""); of != "" {
		return "Query " + of + ", whose partition key is " + compared.name
	}
	return "Query an index whose partition key is " + compared.name + "; create it with\n" +
		v.createIndex(scan.table(), compared)
}
