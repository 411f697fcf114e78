package s3_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	awss3 "github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/aws-sdk-go-v2/service/s3/types"
	"github.com/aws/smithy-go"

	"github.com/tabletop-db/tabletop/emulator/internal/identity"
	"github.com/tabletop-db/tabletop/emulator/internal/s3"
)

// serve returns a client of a new server, its URL, and the folder of its store.
func serve(t *testing.T) (client *awss3.Client, url, dir string) {
	t.Helper()
	dir = t.TempDir()
	store := s3.New(s3.Config{Dir: dir})
	server := httptest.NewServer(&s3.Server{Store: store, Gate: identity.AllowAll(), Log: slog.New(slog.DiscardHandler)})
	t.Cleanup(func() {
		server.Close()
		if err := store.Close(); err != nil {
			t.Error(err)
		}
	})
	return awss3.New(awss3.Options{
		Region: "us-east-1", BaseEndpoint: aws.String(server.URL), UsePathStyle: true, Retryer: aws.NopRetryer{},
		Credentials: credentials.NewStaticCredentialsProvider("test", "test", ""),
	}), server.URL, dir
}

func ok[T any](t *testing.T) func(out T, err error) T {
	return func(out T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
}

// codeOf returns the code of the service's error.
func codeOf(err error) string {
	var failure smithy.APIError
	if errors.As(err, &failure) {
		return failure.ErrorCode()
	}
	return ""
}

// TestObjects puts, reads, lists, copies and deletes objects with AWS's SDK.
func TestObjects(t *testing.T) {
	t.Parallel()
	c, _, dir := serve(t)
	ctx, bucket := context.Background(), aws.String("orders")
	if _, err := c.PutObject(ctx, &awss3.PutObjectInput{Bucket: bucket, Key: aws.String("k"),
		Body: strings.NewReader("")}); codeOf(err) != "NoSuchBucket" {
		t.Errorf("without a bucket: %v", err)
	}
	ok[*awss3.CreateBucketOutput](t)(c.CreateBucket(ctx, &awss3.CreateBucketInput{Bucket: bucket}))
	put := ok[*awss3.PutObjectOutput](t)(c.PutObject(ctx, &awss3.PutObjectInput{Bucket: bucket,
		Key:  aws.String("a/b c.txt"),
		Body: strings.NewReader("hello"), ContentType: aws.String("text/plain"), Metadata: map[string]string{"by": "ana"}}))
	if aws.ToString(put.ETag) != `"5d41402abc4b2a76b9719d911017c592"` {
		t.Errorf("the ETag is %s", *put.ETag)
	}
	if text, err := os.ReadFile(filepath.Join(dir, "orders", "a", "b c.txt")); err != nil || string(text) != "hello" {
		t.Errorf("the file has %q, %v", text, err)
	}
	got := ok[*awss3.GetObjectOutput](t)(c.GetObject(ctx, &awss3.GetObjectInput{Bucket: bucket,
		Key: aws.String("a/b c.txt")}))
	text, err := io.ReadAll(got.Body)
	if err != nil || string(text) != "hello" || *got.ContentType != "text/plain" || got.Metadata["by"] != "ana" {
		t.Errorf("read %q, %v, %+v", text, err, got)
	}
	part := ok[*awss3.GetObjectOutput](t)(c.GetObject(ctx, &awss3.GetObjectInput{Bucket: bucket,
		Key:   aws.String("a/b c.txt"),
		Range: aws.String("bytes=1-2")}))
	if text, _ := io.ReadAll(part.Body); string(text) != "el" {
		t.Errorf("the range has %q", text)
	}
	long := aws.Time(got.LastModified.Add(-time.Hour))
	for _, in := range []*awss3.GetObjectInput{{IfMatch: aws.String(`"other"`)}, {IfUnmodifiedSince: long}} {
		in.Bucket, in.Key = bucket, aws.String("a/b c.txt")
		if _, err := c.GetObject(ctx, in); codeOf(err) != "PreconditionFailed" {
			t.Errorf("read what has changed: %v", err)
		}
	}
	ok[*awss3.GetObjectOutput](t)(c.GetObject(ctx, &awss3.GetObjectInput{Bucket: bucket, Key: aws.String("a/b c.txt"),
		IfMatch: got.ETag, IfUnmodifiedSince: long}))
	ok[*awss3.CopyObjectOutput](t)(c.CopyObject(ctx, &awss3.CopyObjectInput{Bucket: bucket, Key: aws.String("copy"),
		CopySource: aws.String("orders/a/b%20c.txt")}))
	head := ok[*awss3.HeadObjectOutput](t)(c.HeadObject(ctx, &awss3.HeadObjectInput{Bucket: bucket,
		Key: aws.String("copy")}))
	if *head.ContentLength != 5 || head.Metadata["by"] != "ana" {
		t.Errorf("the copy is %+v", head)
	}
	if _, err := c.PutObject(ctx, &awss3.PutObjectInput{Bucket: bucket, Key: aws.String("copy"),
		IfNoneMatch: aws.String("*"),
		Body:        strings.NewReader("")}); codeOf(err) != "PreconditionFailed" {
		t.Errorf("a new object over another: %v", err)
	}
	if _, err := c.DeleteBucket(ctx, &awss3.DeleteBucketInput{Bucket: bucket}); codeOf(err) != "BucketNotEmpty" {
		t.Errorf("deleted with objects: %v", err)
	}
	ok[*awss3.DeleteObjectsOutput](t)(c.DeleteObjects(ctx, &awss3.DeleteObjectsInput{Bucket: bucket,
		Delete: &types.Delete{Objects: []types.ObjectIdentifier{{Key: aws.String("copy")}, {Key: aws.String("a/b c.txt")}}}}))
	if _, err := c.GetObject(ctx, &awss3.GetObjectInput{Bucket: bucket, Key: aws.String("copy")}); codeOf(
		err) != "NoSuchKey" {
		t.Errorf("read after the deletion: %v", err)
	}
	ok[*awss3.DeleteBucketOutput](t)(c.DeleteBucket(ctx, &awss3.DeleteBucketInput{Bucket: bucket}))
	if all := ok[*awss3.ListBucketsOutput](t)(c.ListBuckets(ctx, &awss3.ListBucketsInput{})); len(all.Buckets) != 0 {
		t.Errorf("buckets are left: %+v", all.Buckets)
	}
}

// TestListing lists keys in the order of their bytes, in pages, with a delimiter, and files of other programs.
func TestListing(t *testing.T) {
	t.Parallel()
	c, _, dir := serve(t)
	ctx, bucket := context.Background(), aws.String("list")
	ok[*awss3.CreateBucketOutput](t)(c.CreateBucket(ctx, &awss3.CreateBucketInput{Bucket: bucket}))
	for _, key := range []string{"a/1", "a/2", "a.b", "b//c", "b/", "ü/..", "z%"} {
		ok[*awss3.PutObjectOutput](t)(c.PutObject(ctx, &awss3.PutObjectInput{Bucket: bucket, Key: &key,
			Body: strings.NewReader(key)}))
	}
	if err := os.WriteFile(filepath.Join(dir, "list", "c"), []byte("other"), 0o600); err != nil {
		t.Fatal(err)
	}
	var keys []string
	for p := awss3.NewListObjectsV2Paginator(c, &awss3.ListObjectsV2Input{Bucket: bucket,
		MaxKeys: aws.Int32(3)}); p.HasMorePages(); {
		page := ok[*awss3.ListObjectsV2Output](t)(p.NextPage(ctx))
		for _, o := range page.Contents {
			keys = append(keys, *o.Key)
		}
	}
	if got := strings.Join(keys, " "); got != "a.b a/1 a/2 b/ b//c c z% ü/.." {
		t.Errorf("listed %s", got)
	}
	page := ok[*awss3.ListObjectsV2Output](t)(c.ListObjectsV2(ctx, &awss3.ListObjectsV2Input{Bucket: bucket,
		Delimiter: aws.String("/"), MaxKeys: aws.Int32(3)}))
	if len(page.Contents) != 1 || len(page.CommonPrefixes) != 2 || *page.CommonPrefixes[1].Prefix != "b/" ||
		!*page.IsTruncated || *page.KeyCount != 3 {
		t.Errorf("with a delimiter: %+v", page)
	}
	old := ok[*awss3.ListObjectsOutput](t)(c.ListObjects(ctx, &awss3.ListObjectsInput{Bucket: bucket,
		Prefix: aws.String("a/")}))
	if len(old.Contents) != 2 || *old.Contents[0].Key != "a/1" {
		t.Errorf("ListObjects: %+v", old.Contents)
	}
}

// TestMultipartUpload uploads an object in parts. Its ETag is computed from those of the parts.
func TestMultipartUpload(t *testing.T) {
	t.Parallel()
	c, _, _ := serve(t)
	ctx, bucket, key := context.Background(), aws.String("parts"), aws.String("big")
	ok[*awss3.CreateBucketOutput](t)(c.CreateBucket(ctx, &awss3.CreateBucketInput{Bucket: bucket}))
	begun := ok[*awss3.CreateMultipartUploadOutput](t)(c.CreateMultipartUpload(ctx, &awss3.CreateMultipartUploadInput{
		Bucket: bucket, Key: key, ContentType: aws.String("text/plain")}))
	var parts []types.CompletedPart
	for i, text := range []string{"one", "two"} {
		number := aws.Int32(int32(i) + 1)
		part := ok[*awss3.UploadPartOutput](t)(c.UploadPart(ctx, &awss3.UploadPartInput{Bucket: bucket, Key: key,
			UploadId: begun.UploadId, PartNumber: number, Body: strings.NewReader(text)}))
		parts = append(parts, types.CompletedPart{PartNumber: number, ETag: part.ETag})
	}
	listed := ok[*awss3.ListPartsOutput](t)(c.ListParts(ctx, &awss3.ListPartsInput{Bucket: bucket, Key: key,
		UploadId: begun.UploadId}))
	if len(listed.Parts) != 2 || *listed.Parts[1].Size != 3 {
		t.Errorf("the parts are %+v", listed.Parts)
	}
	complete := &awss3.CompleteMultipartUploadInput{Bucket: bucket, Key: key, UploadId: begun.UploadId,
		MultipartUpload: &types.CompletedMultipartUpload{Parts: parts}}
	done := ok[*awss3.CompleteMultipartUploadOutput](t)(c.CompleteMultipartUpload(ctx, complete))
	// The MD5 hash of the two hashes, by md5sum.
	if want := `"1397b7ee3222e3980d0d20f23a871b02-2"`; *done.ETag != want {
		t.Errorf("the ETag is %s", *done.ETag)
	}
	got := ok[*awss3.GetObjectOutput](t)(c.GetObject(ctx, &awss3.GetObjectInput{Bucket: bucket, Key: key}))
	if text, _ := io.ReadAll(got.Body); string(text) != "onetwo" || *got.ContentType != "text/plain" {
		t.Errorf("the object is %q, %s", text, *got.ContentType)
	}
	if _, err := c.CompleteMultipartUpload(ctx, complete); codeOf(err) != "NoSuchUpload" {
		t.Errorf("completed twice: %v", err)
	}
	again := ok[*awss3.CreateMultipartUploadOutput](t)(c.CreateMultipartUpload(ctx, &awss3.CreateMultipartUploadInput{
		Bucket: bucket, Key: key}))
	complete.UploadId = again.UploadId
	if _, err := c.CompleteMultipartUpload(ctx, complete); codeOf(err) != "InvalidPart" {
		t.Errorf("completed without its parts: %v", err)
	}
	ok[*awss3.AbortMultipartUploadOutput](t)(c.AbortMultipartUpload(ctx, &awss3.AbortMultipartUploadInput{Bucket: bucket,
		Key: key, UploadId: again.UploadId}))
}

// send sends a crafted request and returns its status and body.
func send(t *testing.T, method, url, body string, headers ...string) (status int, text string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, url, bytes.NewReader([]byte(body)))
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(headers); i += 2 {
		if r.Header.Set(headers[i], headers[i+1]); headers[i] == "Host" {
			r.Host = headers[i+1]
		}
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	out, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer.StatusCode, string(out)
}

// TestChunkedBodies sends bodies as newer SDKs do: in chunks, with a checksum after the last. The checksum of the first
// is that of AWS's documentation of aws-chunked ("x-amz-checksum-crc32c:sOO8/Q==" for 64 KiB and 1 KiB of "a").
func TestChunkedBodies(t *testing.T) {
	t.Parallel()
	_, url, _ := serve(t)
	send(t, http.MethodPut, url+"/chunks", "")
	a := strings.Repeat("a", 65536)
	headers := []string{"X-Amz-Content-Sha256", "STREAMING-UNSIGNED-PAYLOAD-TRAILER", "Content-Encoding",
		"aws-chunked,gzip",
		"X-Amz-Trailer", "x-amz-checksum-crc32c", "X-Amz-Decoded-Content-Length", "66560"}
	body := "10000;chunk-signature=b474d8862b1487a5145d686f57f013e54db672cee1c953b3010fb58501ef5aa2\r\n" + a + "\r\n" +
		"400;chunk-signature=1c1344b170168f8e65b41376b44b20fe354e373826ccbbe2c1d40a8cae51e5c7\r\n" + a[:1024] + "\r\n" +
		"0;chunk-signature=2ca2aba2005185cf7159c6277faf83795951dd77a3a99e6e65d5c9f85863f992\r\n" +
		"x-amz-checksum-crc32c:sOO8/Q==\r\n\r\n"
	if status, text := send(t, http.MethodPut, url+"/chunks/k", body, headers...); status != http.StatusOK {
		t.Fatalf("%d %s", status, text)
	}
	if _, text := send(t, http.MethodGet, url+"/chunks/k", "", "Accept-Encoding", "gzip"); text != a+a[:1024] {
		t.Errorf("the object has %d bytes", len(text))
	}
	for name, wrong := range map[string]string{
		"BadDigest":      strings.Replace(body, "sOO8", "tOO8", 1),
		"IncompleteBody": body[:66000],
	} {
		if status, text := send(t, http.MethodPut, url+"/chunks/w", wrong, headers...); status != http.StatusBadRequest ||
			!strings.Contains(text, "<Code>"+name+"</Code>") {
			t.Errorf("%s: %d %s", name, status, text)
		}
	}
	if status, _ := send(t, http.MethodGet, url+"/chunks/w", ""); status != http.StatusNotFound {
		t.Errorf("a refused object is there: %d", status)
	}
}

// TestVirtualHosts names the bucket in the host.
func TestVirtualHosts(t *testing.T) {
	t.Parallel()
	_, url, dir := serve(t)
	for _, host := range []string{"virtual.localhost:8000", "virtual.s3.localhost", "virtual.s3.us-east-1.amazonaws.com"} {
		if status, text := send(t, http.MethodPut, url+"/", "", "Host", host); status != http.StatusOK {
			t.Errorf("%s: %d %s", host, status, text)
		}
		send(t, http.MethodPut, url+"/a/b", host, "Host", host)
		if text, _ := os.ReadFile(filepath.Join(dir, "virtual", "a", "b")); string(text) != host {
			t.Errorf("%s: the object has %q", host, text)
		}
	}
}

// TestRefusals checks requests that are not supported, and names that point outside of the folder.
func TestRefusals(t *testing.T) {
	t.Parallel()
	_, url, dir := serve(t)
	send(t, http.MethodPut, url+"/refuse", "")
	send(t, http.MethodPut, url+"/refuse/a", "")
	for _, c := range []struct{ method, path, code string }{
		{http.MethodPut, "/refuse?policy", "NotImplemented"},
		{http.MethodPut, "/refuse/a?acl", "NotImplemented"},
		{http.MethodPut, "/refuse/a/b", "InvalidRequest"},
		{http.MethodPut, "/..x/a", "NoSuchBucket"},
		{http.MethodPut, "/.metadata/a", "NoSuchBucket"},
		{http.MethodPut, "/UPPER", "InvalidBucketName"},
		{http.MethodPatch, "/refuse/a", "MethodNotAllowed"},
		{http.MethodPost, "/refuse/a?uploadId=..%2F..%2Fx", "MalformedXML"},
		{http.MethodGet, "/refuse/a?uploadId=..%2F..%2Fx", "NoSuchUpload"},
		{http.MethodGet, "/refuse?max-keys=x", "InvalidArgument"},
		{http.MethodPut, "/refuse/" + strings.Repeat("k", 1025), "KeyTooLongError"},
	} {
		if _, text := send(t, c.method, url+c.path, ""); !strings.Contains(text, "<Code>"+c.code+"</Code>") {
			t.Errorf("%s %.40s: %s", c.method, c.path, text)
		}
	}
	send(t, http.MethodPut, url+"/refuse/..%2f..%2fout", "out")
	if _, err := os.Stat(filepath.Join(filepath.Dir(dir), "out")); err == nil {
		t.Error("an object was written outside of the folder")
	}
	if _, text := send(t, http.MethodGet, url+"/refuse/..%2f..%2fout", ""); text != "out" {
		t.Errorf("the object is %q", text)
	}
}

// TestTagsAndVersions tags a bucket, and lists the versions of its objects, one of each.
func TestTagsAndVersions(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	c, _, _ := serve(t)
	bucket := aws.String("orders")
	ok[*awss3.CreateBucketOutput](t)(c.CreateBucket(ctx, &awss3.CreateBucketInput{Bucket: bucket}))
	if _, err := c.GetBucketTagging(ctx, &awss3.GetBucketTaggingInput{Bucket: bucket}); codeOf(err) != "NoSuchTagSet" {
		t.Error(err)
	}
	tag := func(keys ...string) error {
		var tags []types.Tag
		for _, key := range keys {
			tags = append(tags, types.Tag{Key: &key, Value: aws.String("tests")})
		}
		_, err := c.PutBucketTagging(ctx, &awss3.PutBucketTaggingInput{Bucket: bucket, Tagging: &types.Tagging{TagSet: tags}})
		return err
	}
	if err := tag("use", "use"); codeOf(err) != "InvalidTag" {
		t.Error(err)
	}
	if err := tag("use"); err != nil {
		t.Fatal(err)
	}
	tags := ok[*awss3.GetBucketTaggingOutput](t)(c.GetBucketTagging(ctx, &awss3.GetBucketTaggingInput{Bucket: bucket}))
	if len(tags.TagSet) != 1 || *tags.TagSet[0].Key != "use" || *tags.TagSet[0].Value != "tests" {
		t.Errorf("%+v", tags.TagSet)
	}
	ok[*awss3.DeleteBucketTaggingOutput](t)(c.DeleteBucketTagging(ctx, &awss3.DeleteBucketTaggingInput{Bucket: bucket}))
	ok[*awss3.PutObjectOutput](t)(c.PutObject(ctx, &awss3.PutObjectInput{Bucket: bucket, Key: aws.String("a"),
		Body: strings.NewReader("hello")}))
	versions := ok[*awss3.ListObjectVersionsOutput](t)(c.ListObjectVersions(ctx,
		&awss3.ListObjectVersionsInput{Bucket: bucket}))
	if len(versions.Versions) != 1 || *versions.Versions[0].Key != "a" || *versions.Versions[0].VersionId != "null" {
		t.Fatalf("%+v", versions.Versions)
	}
	ok[*awss3.DeleteObjectOutput](t)(c.DeleteObject(ctx, &awss3.DeleteObjectInput{Bucket: bucket, Key: aws.String("a"),
		VersionId: aws.String("null")}))
	ok[*awss3.DeleteBucketOutput](t)(c.DeleteBucket(ctx, &awss3.DeleteBucketInput{Bucket: bucket}))
}
