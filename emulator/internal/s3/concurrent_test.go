package s3_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	awss3 "github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/aws-sdk-go-v2/service/s3/types"
)

// TestObjectsKeepTheirMetadataWhileTheyAreListed puts an object repeatedly while other requests list it.
func TestObjectsKeepTheirMetadataWhileTheyAreListed(t *testing.T) {
	t.Parallel()
	const puts, listers = 100, 3
	c, _, _ := serve(t)
	ctx, bucket, key := context.Background(), aws.String("orders"), aws.String("k")
	ok[*awss3.CreateBucketOutput](t)(c.CreateBucket(ctx, &awss3.CreateBucketInput{Bucket: bucket}))
	var listing sync.WaitGroup
	done := make(chan struct{})
	for range listers {
		listing.Go(func() {
			for {
				select {
				case <-done:
					return
				default:
					if _, err := c.ListObjectsV2(ctx, &awss3.ListObjectsV2Input{Bucket: bucket}); err != nil {
						t.Error(err)
					}
				}
			}
		})
	}
	for i := range puts {
		by := fmt.Sprint(i)
		ok[*awss3.PutObjectOutput](t)(c.PutObject(ctx, &awss3.PutObjectInput{Bucket: bucket, Key: key,
			Body: strings.NewReader(by), Metadata: map[string]string{"by": by}}))
		got := ok[*awss3.HeadObjectOutput](t)(c.HeadObject(ctx, &awss3.HeadObjectInput{Bucket: bucket, Key: key}))
		if got.Metadata["by"] != by {
			t.Errorf("object %d has the metadata %v", i, got.Metadata)
		}
	}
	close(done)
	listing.Wait()
}

// TestAPartIsWhatItsETagSays uploads two contents as one part at the same time. The object has the content of the ETag
// that completes the upload.
func TestAPartIsWhatItsETagSays(t *testing.T) {
	t.Parallel()
	const rounds = 40
	c, _, _ := serve(t)
	ctx, bucket, key := context.Background(), aws.String("orders"), aws.String("k")
	ok[*awss3.CreateBucketOutput](t)(c.CreateBucket(ctx, &awss3.CreateBucketInput{Bucket: bucket}))
	for range rounds {
		id := ok[*awss3.CreateMultipartUploadOutput](t)(c.CreateMultipartUpload(ctx,
			&awss3.CreateMultipartUploadInput{Bucket: bucket, Key: key})).UploadId
		contents := [2]string{"one", "another"}
		var etags [2]*string
		var uploading sync.WaitGroup
		for i, content := range contents {
			uploading.Go(func() {
				part, err := c.UploadPart(ctx, &awss3.UploadPartInput{Bucket: bucket, Key: key, UploadId: id,
					PartNumber: aws.Int32(1), Body: strings.NewReader(content)})
				if err != nil {
					t.Error(err)
					return
				}
				etags[i] = part.ETag
			})
		}
		uploading.Wait()
		completed := 0
		for i, content := range contents {
			_, err := c.CompleteMultipartUpload(ctx, &awss3.CompleteMultipartUploadInput{Bucket: bucket, Key: key,
				UploadId: id, MultipartUpload: &types.CompletedMultipartUpload{
					Parts: []types.CompletedPart{{PartNumber: aws.Int32(1), ETag: etags[i]}}}})
			if err != nil {
				continue // the other part replaced it, or completed the upload
			}
			completed++
			got := ok[*awss3.GetObjectOutput](t)(c.GetObject(ctx, &awss3.GetObjectInput{Bucket: bucket, Key: key}))
			if text, err := io.ReadAll(got.Body); err != nil || string(text) != content {
				t.Errorf("the object is %q (%v), and the part of its ETag %q", text, err, content)
			}
		}
		if completed != 1 {
			t.Errorf("%d of two contents completed the upload", completed)
		}
	}
}

// TestAnObjectHasItsSizeBesideAnEncoding checks a header that Go's file server omits.
func TestAnObjectHasItsSizeBesideAnEncoding(t *testing.T) {
	t.Parallel()
	c, _, _ := serve(t)
	ctx, bucket, key := context.Background(), aws.String("orders"), aws.String("k")
	ok[*awss3.CreateBucketOutput](t)(c.CreateBucket(ctx, &awss3.CreateBucketInput{Bucket: bucket}))
	ok[*awss3.PutObjectOutput](t)(c.PutObject(ctx, &awss3.PutObjectInput{Bucket: bucket, Key: key,
		Body: strings.NewReader("packed"), ContentEncoding: aws.String("br")}))
	got := ok[*awss3.HeadObjectOutput](t)(c.HeadObject(ctx, &awss3.HeadObjectInput{Bucket: bucket, Key: key}))
	if aws.ToInt64(got.ContentLength) != 6 {
		t.Errorf("the object has %v bytes, want 6", got.ContentLength)
	}
}

// TestKeysHaveALimitedDepth checks that no key makes listings slow, and that an empty page is the last one.
func TestKeysHaveALimitedDepth(t *testing.T) {
	t.Parallel()
	c, _, _ := serve(t)
	ctx, bucket := context.Background(), aws.String("orders")
	ok[*awss3.CreateBucketOutput](t)(c.CreateBucket(ctx, &awss3.CreateBucketInput{Bucket: bucket}))
	for depth, want := range map[int]string{63: "", 64: "KeyTooLongError"} {
		_, err := c.PutObject(ctx, &awss3.PutObjectInput{Bucket: bucket, Key: aws.String(strings.Repeat("/", depth) + "k"),
			Body: strings.NewReader("x")})
		if codeOf(err) != want {
			t.Errorf("%d folders: %v, want %q", depth, err, want)
		}
	}
	page := ok[*awss3.ListObjectsV2Output](t)(c.ListObjectsV2(ctx,
		&awss3.ListObjectsV2Input{Bucket: bucket, MaxKeys: aws.Int32(0)}))
	if aws.ToBool(page.IsTruncated) || len(page.Contents) != 0 {
		t.Errorf("a page of no keys has %v, and more follow: %v", page.Contents, *page.IsTruncated)
	}
}

// TestABucketOfEmptyFoldersCanBeDeleted deletes a bucket with empty folders, as other programs or a crash leave them.
func TestABucketOfEmptyFoldersCanBeDeleted(t *testing.T) {
	t.Parallel()
	c, _, dir := serve(t)
	bucket := aws.String("orders")
	ok[*awss3.CreateBucketOutput](t)(c.CreateBucket(t.Context(), &awss3.CreateBucketInput{Bucket: bucket}))
	file := filepath.Join(dir, "orders", "a", "b", "file")
	if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o700), os.WriteFile(file, nil, 0o600)); err != nil {
		t.Fatal(err)
	}
	remove := func() error {
		_, err := c.DeleteBucket(t.Context(), &awss3.DeleteBucketInput{Bucket: bucket})
		return err
	}
	if err := remove(); codeOf(err) != "BucketNotEmpty" {
		t.Errorf("with an object: %v", err)
	}
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	if err := remove(); err != nil {
		t.Errorf("with empty folders: %v", err)
	}
}
