package dynamo

// operations are what the service can do.
var operations = map[string]operation{
	"DeleteItem": define(deleteItem),
	"GetItem":    define(getItem),
	"PutItem":    define(putItem),
}
