package dynamo

// operations are what the service can do.
var operations = map[string]operation{
	"BatchGetItem":              define(batchGetItem),
	"BatchWriteItem":            define(batchWriteItem),
	"CreateBackup":              define(createBackup),
	"CreateTable":               define(createTable),
	"DeleteBackup":              define(deleteBackup),
	"DeleteItem":                define(deleteItem),
	"DeleteResourcePolicy":      define(deleteResourcePolicy),
	"DeleteTable":               define(deleteTable),
	"DescribeBackup":            define(describeBackup),
	"DescribeContinuousBackups": define(describeContinuousBackups),
	"DescribeEndpoints":         define(describeEndpoints),
	"DescribeLimits":            define(describeLimits),
	"DescribeTable":             define(describeTable),
	"DescribeTimeToLive":        define(describeTimeToLive),
	"GetItem":                   define(getItem),
	"GetResourcePolicy":         define(getResourcePolicy),
	"ListBackups":               define(listBackups),
	"ListTables":                define(listTables),
	"ListTagsOfResource":        define(listTagsOfResource),
	"PutItem":                   define(putItem),
	"PutResourcePolicy":         define(putResourcePolicy),
	"Query":                     define(query),
	"RestoreTableFromBackup":    define(restoreTableFromBackup),
	"RestoreTableToPointInTime": define(restoreTableToPointInTime),
	"Scan":                      define(scan),
	"TagResource":               define(tagResource),
	"TransactGetItems":          define(transactGetItems),
	"TransactWriteItems":        define(transactWriteItems),
	"UntagResource":             define(untagResource),
	"UpdateContinuousBackups":   define(updateContinuousBackups),
	"UpdateItem":                define(updateItem),
	"UpdateTable":               define(updateTable),
	"UpdateTimeToLive":          define(updateTimeToLive),
}

// streamOperations are what the service can do under the name of its streams.
var streamOperations = map[string]operation{
	"DescribeStream":   define(describeStream),
	"GetRecords":       define(getRecords),
	"GetShardIterator": define(getShardIterator),
	"ListStreams":      define(listStreams),
}
