package advice

// filterForFew finds queries whose filter throws away most of what their key condition finds, and which come again. The
// filter is applied after the items were read, and they are paid for. A filter that keeps most, such as one that leaves
// out items which have expired but are not deleted yet, is no finding.
var filterForFew = Rule{
	ID:     "filter-for-few",
	Title:  "queries whose filter throws away most of what they read",
	Source: "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Query.FilterExpression.html",
	watch: func(v *Review) watcher {
		return dynamoDB{&filters{review: v,
			operation: "Query", plural: "queries", remedy: keyInstead, of: map[string]*filtered{}}}
	},
}

// keyInstead names the index whose sort key is what a query filters by.
func keyInstead(v *Review, query *Request) string {
	compared, ok := equalTo(query.Body, "FilterExpression")
	partition, known := equalTo(query.Body, "KeyConditionExpression")
	if !ok || !known {
		return "Put what the filter compares into the sort key of the table or of an index, and use it in the key condition"
	}
	if of := v.withKey(query.table(), partition.name, compared.name); of != "" {
		return "Query " + of + ", whose partition key is " + partition.name + " and whose sort key is " + compared.name
	}
	return "Query an index with the partition key " + partition.name + " and the sort key " + compared.name +
		"; create it with\n" + v.createIndex(query.table(), partition, compared)
}
