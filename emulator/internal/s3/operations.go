package s3

import "net/http"

// operation is an operation: the IAM action that it needs, empty if it authorizes itself, and its function. err is the
// error for a request without an operation.
type operation struct {
	action string
	run    func(*call) error
	err    error
}

// subresources are the parameters of operations that are not supported. Without this list, a request for one of them,
// such as PutBucketPolicy, would run CreateBucket.
var subresources = []string{"acl", "accelerate", "analytics", "attributes", "cors", "encryption", "intelligent-tiering",
	"inventory", "legal-hold", "lifecycle", "logging", "metadataTable", "metrics", "notification", "object-lock",
	"ownershipControls", "policy", "policyStatus", "publicAccessBlock", "replication", "requestPayment", "restore",
	"retention", "select", "session", "torrent", "versioning", "website"}

// operation returns the operation of a request.
func (c *call) operation() operation {
	query := c.r.URL.Query()
	for _, name := range subresources {
		if query.Has(name) {
			return operation{err: errNotImplemented}
		}
	}
	if (c.bucket == "" || c.key != "") && (query.Has("tagging") || query.Has("versions")) {
		return operation{err: errNotImplemented}
	}
	switch {
	case c.bucket == "":
		return choose(c.r.Method, map[string]operation{
			http.MethodGet: {action: "ListAllMyBuckets", run: (*call).listBuckets},
		})
	case c.key == "" && query.Has("location"):
		return choose(c.r.Method, map[string]operation{
			http.MethodGet: {action: "GetBucketLocation", run: (*call).getBucketLocation},
		})
	case query.Has("tagging"):
		return choose(c.r.Method, map[string]operation{
			http.MethodPut:    {action: "PutBucketTagging", run: (*call).putBucketTagging},
			http.MethodGet:    {action: "GetBucketTagging", run: (*call).getBucketTagging},
			http.MethodDelete: {action: "PutBucketTagging", run: (*call).deleteBucketTagging},
		})
	case query.Has("versions"):
		return choose(c.r.Method, map[string]operation{
			http.MethodGet: {action: "ListBucketVersions", run: (*call).listObjectVersions},
		})
	case c.key == "" && query.Has("uploads"):
		return operation{err: errNotImplemented}
	case c.key == "" && query.Has("delete"):
		return choose(c.r.Method, map[string]operation{
			http.MethodPost: {run: (*call).deleteObjects}, // which authorizes each object
		})
	case c.key == "":
		return choose(c.r.Method, map[string]operation{
			http.MethodPut:    {action: "CreateBucket", run: (*call).createBucket},
			http.MethodHead:   {action: "ListBucket", run: (*call).headBucket},
			http.MethodGet:    {action: "ListBucket", run: (*call).listObjects},
			http.MethodDelete: {action: "DeleteBucket", run: (*call).deleteBucket},
		})
	case query.Has("uploads"):
		return choose(c.r.Method, map[string]operation{
			http.MethodPost: {action: "PutObject", run: (*call).createMultipartUpload},
		})
	case query.Has("uploadId"):
		return choose(c.r.Method, map[string]operation{
			http.MethodPut:    {action: "PutObject", run: (*call).uploadPart},
			http.MethodPost:   {action: "PutObject", run: (*call).completeMultipartUpload},
			http.MethodDelete: {action: "AbortMultipartUpload", run: (*call).abortMultipartUpload},
			http.MethodGet:    {action: "ListMultipartUploadParts", run: (*call).listParts},
		})
	}
	return choose(c.r.Method, map[string]operation{
		http.MethodPut:    {action: "PutObject", run: (*call).putObject},
		http.MethodGet:    {action: "GetObject", run: (*call).getObject},
		http.MethodHead:   {action: "GetObject", run: (*call).getObject},
		http.MethodDelete: {action: "DeleteObject", run: (*call).deleteObject},
	})
}

func choose(method string, by map[string]operation) operation {
	if op, ok := by[method]; ok {
		return op
	}
	return operation{err: errMethodNotAllowed}
}
