package targets

import "context"

// openAlternator opens ScyllaDB's Alternator, a DynamoDB endpoint that lacks some operations.
func openAlternator(ctx context.Context, endpoint string, o Options) (*Target, error) {
	t, err := openURL(ctx, endpoint, o)
	if err != nil {
		return nil, err
	}
	t.Name = Spec{Kind: Alternator, URL: endpoint}.String()
	t.Lacks = alternatorLacks()
	return t, nil
}

// alternatorLacks returns the operations that Alternator does not have, by its documentation
// (docs/alternator/compatibility.md in scylladb/scylladb), each with the reason as text.
func alternatorLacks() map[string]string {
	lacks := map[string]string{}
	for reason, operations := range map[string][]string{
		"Alternator has no transactions": {"TransactWriteItems", "TransactGetItems"},
		"Alternator has no PartiQL":      {"ExecuteStatement", "BatchExecuteStatement", "ExecuteTransaction"},
		"Alternator has no backups": {"CreateBackup", "DescribeBackup", "DeleteBackup", "ListBackups",
			"RestoreTableFromBackup"},
		"Alternator has no point-in-time recovery": {"UpdateContinuousBackups", "DescribeContinuousBackups",
			"RestoreTableToPointInTime"},
		"Alternator has no exports and imports": {"DescribeExport", "ExportTableToPointInTime", "ListExports",
			"ImportTable", "DescribeImport", "ListImports"},
		"Alternator has no Kinesis destinations": {"DescribeKinesisStreamingDestination",
			"DisableKinesisStreamingDestination", "EnableKinesisStreamingDestination", "UpdateKinesisStreamingDestination"},
		"Alternator has no contributor insights": {"DescribeContributorInsights", "ListContributorInsights",
			"UpdateContributorInsights"},
		"Alternator has no global tables of version 2017.11.29": {"CreateGlobalTable", "UpdateGlobalTable",
			"DescribeGlobalTable", "ListGlobalTables", "UpdateGlobalTableSettings", "DescribeGlobalTableSettings"},
		"Alternator has no resource policies": {"GetResourcePolicy", "PutResourcePolicy", "DeleteResourcePolicy"},
	} {
		for _, operation := range operations {
			lacks[operation] = reason
		}
	}
	return lacks
}
