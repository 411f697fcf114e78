package dynamo

// operations are what the service can do.
var operations = map[string]operation{
	"BatchGetItem":         define(batchGetItem),
	"BatchWriteItem":       define(batchWriteItem),
	"CreateTable":          define(createTable),
	"DeleteItem":           define(deleteItem),
	"DeleteResourcePolicy": define(deleteResourcePolicy),
	"DeleteTable":          define(deleteTable),
	"DescribeEndpoints":    define(describeEndpoints),
	"DescribeLimits":       define(describeLimits),
	"DescribeTable":        define(describeTable),
	"DescribeTimeToLive":   define(describeTimeToLive),
	"GetItem":              define(getItem),
	"GetResourcePolicy":    define(getResourcePolicy),
	"ListTables":           define(listTables),
	"ListTagsOfResource":   define(listTagsOfResource),
	"PutItem":              define(putItem),
	"PutResourcePolicy":    define(putResourcePolicy),
	"Query":                define(query),
	"Scan":                 define(scan),
	"TagResource":          define(tagResource),
	"TransactGetItems":     define(transactGetItems),
	"TransactWriteItems":   define(transactWriteItems),
	"UntagResource":        define(untagResource),
	"UpdateItem":           define(updateItem),
	"UpdateTable":          define(updateTable),
	"UpdateTimeToLive":     define(updateTimeToLive),
}

// streamOperations are what the service can do under the name of its streams.
var streamOperations = map[string]operation{
	"DescribeStream":   define(describeStream),
	"GetRecords":       define(getRecords),
	"GetShardIterator": define(getShardIterator),
	"ListStreams":      define(listStreams),
}
