// Package s3 implements the part of Amazon S3 that DynamoDB's exports and imports need: buckets, and objects that are
// put, read, listed, copied and deleted. [Store] stores them as files in a folder; [Server] serves them over HTTP.
//
// A bucket is a folder, and an object is a file in it whose path is the object's key, so that other programs can read
// exports and supply files to import. Characters of a key that file names cannot have, and empty segments, are encoded
// as % and two hexadecimal digits. The folder .metadata has the headers of objects, such as the content type. A file
// that another program wrote has no metadata; its ETag is computed when it is first read.
//
// Buckets have tags, and every object has one version, whose id is null.
//
// Not supported: other versions, access control lists, bucket policies, tags of objects, encryption, events, and an
// object whose key is the folder of another one, such as "a" with "a/b". Such requests fail with NotImplemented or
// InvalidRequest.
package s3
