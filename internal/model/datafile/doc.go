// Package datafile reads and writes files of items: JSON, DynamoDB JSON, CSV, exports of AWS, models of NoSQL Workbench
// and descriptions of tables. It knows no service: a program that has read an item decides where to write it.
//
// Reading needs memory for one item at a time, whatever the size of the file. A file is not trusted: a record is at
// most MaxRecordBytes long and nested at most maxDepth levels deep.
package datafile
