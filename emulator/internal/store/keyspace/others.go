package keyspace

// Changes is the first byte of the keys of change logs. DynamoDB and Cosmos DB share it, each with half of the ids: see
// CosmosLog.
const Changes byte = 'l'

// CosmosLog is the bit of a log's id that is set in those of Cosmos DB's containers and clear in those of DynamoDB's
// tables, whose ids count from 1.
const CosmosLog uint32 = 1 << 31

// CosmosHistoryLog is set too in the ids of logs of Cosmos DB that hold the images for earlier states of containers.
const CosmosHistoryLog = CosmosLog | 1<<30

// KinesisLog is the id of the first log of a shard of Kinesis. No DynamoDB table gets so high an id.
const KinesisLog uint32 = 1 << 30

// KMS is the first byte of the keys of KMS, Identities of those of identities, CloudWatch of those of alarms, Kinesis
// of those of Kinesis streams, AutoScaling of those of Application Auto Scaling.
const (
	KMS         byte = 'k'
	Kinesis     byte = 'r'
	Identities  byte = 'u'
	CloudWatch  byte = 'w'
	AutoScaling byte = 'a'
)

// The byte after the account in the keys in KMS.
const (
	KMSAlias byte = 'a'
	KMSKey   byte = 'k'
)

// The second byte of the keys in Identities.
const (
	IdentitySecret byte = 's'
	IdentityChange byte = 'c'
)

// The second byte of the keys in CloudWatch.
const (
	Alarm        byte = 'a'
	AlarmHistory byte = 'h'
)

// The second byte of the keys in AutoScaling.
const (
	ScalableTarget     byte = 't'
	ScalingActivity    byte = 'a'
	AutoScalingCounter byte = 'n'
)

func others() []Space {
	return []Space{
		{path(Kinesis), "streams of Kinesis", "nothing, or account, name",
			"how many logs were made, or the stream, JSON"},
		{path(Changes), "change logs",
			"table id, container number with its highest bit set, or number of a Kinesis shard with its second bit set; position",
			"a change of an item; under the greatest position how far positions are taken"},
		{path(KMS), "counter of KMS", "nothing", "how many ids were made"},
		{path(KMS, name, KMSAlias), "aliases of KMS", "name", "the alias, JSON"},
		{path(KMS, name, KMSKey), "keys of KMS", "id", "the key, JSON"},
		{path(Identities, IdentitySecret), "secret of identities", "nothing", "the secret that seals sessions"},
		{path(Identities, IdentityChange), "changes of identities", "account, kind, name", "the document"},
		{path(CloudWatch, Alarm), "alarms", "account, name", "the alarm, JSON"},
		{path(CloudWatch, AlarmHistory), "history of alarms", "number", "an entry, JSON"},
		{path(AutoScaling, ScalableTarget), "scalable targets", "account, resource, dimension",
			"the target with its policy and scheduled actions, JSON"},
		{path(AutoScaling, ScalingActivity), "scaling activities", "number", "the activity, JSON"},
		{path(AutoScaling, AutoScalingCounter), "counter of auto scaling", "nothing", "how many ids were made"},
	}
}
