package keyspace

// The first byte of the keys of DynamoDB.
const (
	DynamoTables      byte = 'c'
	DynamoCounters    byte = 'n'
	DynamoItems       byte = 'i'
	DynamoExpiry      byte = 'x'
	DynamoTokens      byte = 't'
	DynamoStreams     byte = 's'
	DynamoBackups     byte = 'b'
	DynamoTableKeys   byte = 'e'
	DynamoDelivered   byte = 'y'
	DynamoTransfers   byte = 'j'
	DynamoVersions    byte = 'v'
	DynamoReplication byte = 'p'
)

// The second byte of the keys in DynamoBackups.
const (
	BackupDescription byte = 'm'
	BackupItems       byte = 'i'
)

// The second byte of the keys in DynamoTransfers.
const (
	TransferExport byte = 'e'
	TransferImport byte = 'i'
	TransferBulk   byte = 'b'
)

func dynamoDB() []Space {
	return []Space{
		{path(DynamoTables), "tables", "account, table name", "the table's definition, JSON"},
		{path(DynamoCounters), "counters of tables", "nothing, or table or index id",
			"the state of the random numbers, or counts of items and bytes as of the last Close"},
		{path(DynamoItems), "items of tables", "table or index id, hash, partition key, sort key",
			"an item, or its projection"},
		{path(DynamoExpiry), "time to live of tables", "second, key of the item", "nothing"},
		{path(DynamoTokens), "client request tokens", "period of ten minutes, account, token", "what the request did"},
		{path(DynamoStreams), "streams", "account, ARN",
			"the stream's description, JSON; under two zero bytes the secret of shard iterators"},
		{path(DynamoBackups, BackupDescription), "backups", "backup id", "the backup's description, JSON"},
		{path(DynamoBackups, BackupItems), "items of backups", "backup id, hash, partition key, sort key", "an item"},
		{path(DynamoDelivered), "progress of Kinesis destinations", "table id",
			"the position of the last change in the table's log that was delivered"},
		{path(DynamoTransfers, TransferExport), "exports", "export id", "the export's description, JSON"},
		{path(DynamoTransfers, TransferImport), "imports", "import id", "the import's description, JSON"},
		{path(DynamoTransfers, TransferBulk), "bulk operations", "bulk operation id",
			"the bulk operation's description, JSON"},
		{path(DynamoVersions), "versions of replicated items", "table id, hash, partition key, sort key",
			"the time of the item's last write, and its region"},
		{path(DynamoReplication), "queue of writes for other regions",
			"nanosecond when it is due, ids of the replica and of the table, hash, partition key, sort key",
			"nanosecond of the write"},
		{path(DynamoTableKeys), "keys of encrypted tables", "table id", "the wrapped data key, JSON"},
	}
}
