package dynamo_test

import "regexp"

// modelDifference is a group of violations for which the service returns another message than its model implies, or
// that the emulator does not check.
type modelDifference struct {
	at     *regexp.Regexp // OPERATION PATH CONSTRAINT
	answer string         // a part of the response
}

func (d modelDifference) covers(at string) bool { return d.at.MatchString(at) }

func differs(at, answer string) modelDifference {
	return modelDifference{regexp.MustCompile("^" + at + "$"), answer}
}

const (
	lengthOfTable = "TableName must be at least 3 characters long and at most 255 characters long"
	noTableName   = "The parameter 'TableName' is required but was not present in the request"
)

var modelDifferences = []modelDifference{
	// Not built: replicas and filters of exports. A request that has them is refused, whatever is in them.
	differs(`ExportTableToPointInTime filterSpecification\..*`, ""),
	differs(`UpdateTable (replicaUpdates|globalTableWitnessUpdates)[ .].*`, ""),

	// Another deserializer, which reports a missing member before it checks any constraint. The constraints are in
	// testdata/transcripts/search_vectors. (paritysuite, 2026-10-09.)
	differs(`SearchVectors \S+ (required|min|max|enum|pattern)`, "missing field `"),

	// The model allows an ARN of up to 1,024 characters. The service applies the older constraints on names.
	// (nubo-db/dynamodb-conformance, 2026-05; paritysuite/dynamodb-conformance, 2026-09-20 and 2026-10-09.)
	differs(`(BatchGet|CreateTable|DeleteItem|GetItem|PutItem|Query|Scan|UpdateItem)\w* (\S+\.)?tableName max`,
		"Member must have length less than or equal to 255"),
	differs(`Transact\w+ \S+\.tableName (min|max)`, "Value null at 'transactItems.1.member."), // after all members
	differs(`(Delete|Describe|Update)Table tableName max`, "Member must have length less than or equal to 255"),
	differs(`(Create|Delete|Describe|Update)Table tableName min`, "Member must have length greater than or equal to 3"),
	differs(`(DeleteItem|GetItem|PutItem|Query) tableName min`,
		"Value at 'TableName' failed to satisfy constraint: Member must have length greater than or equal to 1"),
	differs(`(CreateBackup|Describe(ContinuousBackups|TimeToLive)|ListBackups|UpdateContinuousBackups|UpdateTimeToLive) `+
		`tableName (min|max)`, lengthOfTable),
	differs(`(CreateBackup|CreateTable|DeleteTable|Describe(ContinuousBackups|Table|TimeToLive)|UpdateContinuousBackups|UpdateTable|UpdateTimeToLive) `+
		`tableName required`, noTableName),

	differs(`RestoreTableFromBackup targetTableName (min|max)`, lengthOfTable),

	// Empty names and ARNs. (aws-controllers-k8s/dynamodb-controller, 2026-10-09.)
	differs(`DescribeGlobalTable(Settings)? globalTableName (min|max)`, lengthOfTable),
	differs(`(Describe|Update)ContributorInsights indexName (min|max)`,
		"IndexName must be at least 3 characters long and at most 255 characters long"),
	differs(`(Delete|Describe)Backup backupArn min`, "Invalid Backup ARN"),
	// The same, after the members that are required.
	differs(`RestoreTableFromBackup backupArn min`, "'targetTableName'"),
	differs(`ExportTableToPointInTime tableArn min`, "'s3Bucket'"),

	// No response is recorded; the emulator does as for the other operations on tables.
	differs(`(Describe|List|Update)ContributorInsights tableName (min|max)`, lengthOfTable),
	differs(`(Describe|Update)ContributorInsights tableName required`, noTableName),

	differs(`\w+KinesisStreamingDestination tableName (min|max)`, lengthOfTable),
	differs(`\w+KinesisStreamingDestination tableName required`, noTableName),
	// Any ARN is accepted; the destination fails later. (aws-controllers-k8s/dynamodb-controller, 2026-10-09.)
	differs(`(Disable|Update)KinesisStreamingDestination streamArn min`, ""),

	// Lists of the newer parser. (paritysuite, 2026-10-09.)
	differs(`BatchGetItem requestItems.abc.member.attributesToGet min`, "Value '[]' at 'attributesToGet'"),
	differs(`BatchGetItem requestItems.abc.member.keys min`, "Value at 'RequestItems.abc.member.Keys' failed"),
	differs(`BatchWriteItem requestItems.abc.member min`, "Map value must satisfy constraint"),
	differs(`BatchWriteItem requestItems\..* required`, "Supplied AttributeValue has more than one datatypes set"),
	differs(`(Query|Scan) limit min`, "Value at 'Limit' failed to satisfy constraint"),
	differs(`Scan segment min`, "Value at 'Segment' failed to satisfy constraint"),

	// Enumerations of the newer parser. (paritysuite, captures of September and October 2026.)
	differs(`(Delete|Put)Item returnValues enum`,
		"Failed to satisfy constraint: Member must satisfy enum value set: [ALL_OLD, UPDATED_OLD, ALL_NEW, UPDATE_NEW, NONE]"),
	differs(`(Delete|Put)Item conditionalOperator enum`, "Value null at '"), // checked after all members
	// Of two conditions or more; before those are counted. (nubo-db/dynoxide, 2026-10-09.)
	differs(`Query conditionalOperator enum`, "ConditionalOperator cannot be used without Filter or Expected"),
	differs(`UpdateItem (attributeUpdates|expected|returnItemCollectionMetrics|returnValuesOnCondition).* enum`,
		"Value null at 'key'"),

	// Tags and resource policies check the ARN first. (aws-controllers-k8s/dynamodb-controller, 2026-10-08.)
	differs(`(\w+)ResourcePolicy resourceArn (min|max)`, ""),
	differs(`(ListTagsOf|Tag|Untag)Resource (resourceArn|tags|tagKeys).*`, ""),
	// Table classes are checked so too (2026-10-09).
	differs(`CreateTable tableClass enum`, "Value null at 'keySchema'"),
	differs(`UpdateTable tableClass enum`, "Invalid table-class parameter provided."),
	// Tags have messages of their own, after the constraints of other members. (The same, 2026-10-08.)
	differs(`CreateTable tags\.1\.member\.(key|value) (required|min|max)`, "Value null at 'keySchema'"),

	// The test's text, which most patterns refuse, is a valid client token.
	differs(`\w+ clientToken pattern`, ""),

	// Not checked: the lengths of the names of attributes in expressions, and the number of segments without
	// TotalSegments.
	differs(`.* (\S+\.)?(expressionAttributeNames.abc|attributesToGet.1).member max`, ""),
	differs(`Scan segment max`, "The TotalSegments parameter is required"),
}
