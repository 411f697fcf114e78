// Package s3 is the part of Amazon S3 that goes with DynamoDB's exports and imports: buckets, and objects that are put,
// read, listed, copied and deleted. [Store] keeps them as files in a folder; [Server] serves them over HTTP.
//
// A bucket is a folder, and an object is a file in it whose path is the object's key, so that other programs can read
// exports and supply files to import. A character of a key that no file name can have, and an empty segment, is
// written as % and two hexadecimal digits. What a file does not hold, such as the content type, is in the folder
// .metadata; a file that another program wrote has none, and its ETag is computed when it is first read.
//
// Buckets have tags, and every object has one version, whose id is null.
//
// Not supported: other versions, access control lists, bucket policies, tags of objects, encryption, events, and an
// object whose key is the folder of another one, such as "a" beside "a/b". Such requests are answered with
// NotImplemented or InvalidRequest.
package s3
