package dynamo

import (
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/access"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/backup"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/control"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/data"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/globaltables"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/insights"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/statements"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/streams"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/transfer"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
)

// operations are the operations of DynamoDB.
var operations = map[string]operation{
	"BatchExecuteStatement":               define(statements.BatchExecuteStatement),
	"BatchGetItem":                        define(data.BatchGetItem),
	"BatchWriteItem":                      define(data.BatchWriteItem),
	"CancelBulkOperation":                 define(transfer.CancelBulkOperation),
	"CreateBackup":                        define(backup.CreateBackup),
	"CreateGlobalTable":                   define(globaltables.CreateGlobalTable),
	"CreateTable":                         define(control.CreateTable),
	"DeleteBackup":                        define(backup.DeleteBackup),
	"DeleteItem":                          define(data.DeleteItem),
	"DeleteResourcePolicy":                define(access.DeleteResourcePolicy),
	"DeleteTable":                         define(control.DeleteTable),
	"DescribeBackup":                      define(backup.DescribeBackup),
	"DescribeBulkOperation":               define(transfer.DescribeBulkOperation),
	"DescribeContinuousBackups":           define(backup.DescribeContinuousBackups),
	"DescribeContributorInsights":         define(insights.DescribeContributorInsights),
	"DescribeEndpoints":                   define(control.DescribeEndpoints),
	"DescribeExport":                      define(transfer.DescribeExport),
	"DescribeGlobalTable":                 define(globaltables.DescribeGlobalTable),
	"DescribeGlobalTableSettings":         define(globaltables.DescribeGlobalTableSettings),
	"DescribeImport":                      define(transfer.DescribeImport),
	"DescribeKinesisStreamingDestination": define(control.DescribeKinesisStreamingDestination),
	"DescribeLimits":                      define(control.DescribeLimits),
	"DescribeTable":                       define(control.DescribeTable),
	"DescribeTableReplicaAutoScaling":     define(globaltables.DescribeTableReplicaAutoScaling),
	"DescribeTimeToLive":                  define(control.DescribeTimeToLive),
	"DisableKinesisStreamingDestination":  define(control.DisableKinesisStreamingDestination),
	"EnableKinesisStreamingDestination":   define(control.EnableKinesisStreamingDestination),
	"ExecuteStatement":                    define(statements.ExecuteStatement),
	"ExecuteTransaction":                  define(statements.ExecuteTransaction),
	"ExportTableToPointInTime":            define(transfer.ExportTableToPointInTime),
	"GetItem":                             define(data.GetItem),
	"GetResourcePolicy":                   define(access.GetResourcePolicy),
	"ImportTable":                         define(transfer.ImportTable),
	"ListBackups":                         define(backup.ListBackups),
	"ListBulkOperations":                  define(transfer.ListBulkOperations),
	"ListContributorInsights":             define(insights.ListContributorInsights),
	"ListExports":                         define(transfer.ListExports),
	"ListGlobalTables":                    define(globaltables.ListGlobalTables),
	"ListImports":                         define(transfer.ListImports),
	"ListTables":                          define(control.ListTables),
	"ListTagsOfResource":                  define(control.ListTagsOfResource),
	"PutItem":                             define(data.PutItem),
	"PutResourcePolicy":                   define(access.PutResourcePolicy),
	"Query":                               define(data.Query),
	"RestoreTableFromBackup":              define(backup.RestoreTableFromBackup),
	"RestoreTableToPointInTime":           define(backup.RestoreTableToPointInTime),
	"Scan":                                define(data.Scan),
	"SearchVectors":                       define(data.SearchVectors),
	"StartBulkPutItems":                   define(transfer.StartBulkPutItems),
	"TagResource":                         define(control.TagResource),
	"TransactGetItems":                    define(data.TransactGetItems),
	"TransactWriteItems":                  define(data.TransactWriteItems),
	"UntagResource":                       define(control.UntagResource),
	"UpdateContinuousBackups":             define(backup.UpdateContinuousBackups),
	"UpdateContributorInsights":           define(insights.UpdateContributorInsights),
	"UpdateGlobalTable":                   define(globaltables.UpdateGlobalTable),
	"UpdateGlobalTableSettings":           define(globaltables.UpdateGlobalTableSettings),
	"UpdateItem":                          define(data.UpdateItem),
	"UpdateKinesisStreamingDestination":   define(control.UpdateKinesisStreamingDestination),
	"UpdateTable":                         define(control.UpdateTable),
	"UpdateTableReplicaAutoScaling":       define(globaltables.UpdateTableReplicaAutoScaling),
	"UpdateTimeToLive":                    define(control.UpdateTimeToLive),
}

// streamOperations are the operations of DynamoDB Streams.
var streamOperations = map[string]operation{
	"DescribeStream":   define(streams.DescribeStream),
	"GetRecords":       define(streams.GetRecords),
	"GetShardIterator": define(streams.GetShardIterator),
	"ListStreams":      define(streams.ListStreams),
}

// unknownOperationError returns the error for an operation that is not served. It has no message, as on the service.
func unknownOperationError() *wire.Error { return wire.ServiceError("UnknownOperationException", "") }
