package uploads

import (
	"context"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/aws-sdk-go-v2/service/s3/types"
	"github.com/aws/smithy-go"
)

// S3 stores files in an S3 bucket.
type S3 struct {
	client *s3.Client
	bucket string
	now    func() time.Time
}

// NewS3 returns an S3 for an existing bucket, which should be private and encrypted, with a lifecycle rule that deletes
// objects after 31 days.
func NewS3(client *s3.Client, bucket string, now func() time.Time) *S3 {
	return &S3{client, bucket, now}
}

// Bucket returns the bucket's name.
func (s *S3) Bucket() string { return s.bucket }

// Presign signs a PutObject with this size, type and checksum that writes the file only once (If-None-Match).
func (s *S3) Presign(ctx context.Context, f File) (Target, error) {
	in := &s3.PutObjectInput{
		Bucket: &s.bucket, Key: &f.Key, ContentLength: &f.Size, ContentType: &f.Type, IfNoneMatch: aws.String("*"),
	}
	if f.SHA256 != "" {
		sum, err := hex.DecodeString(f.SHA256)
		if err != nil {
			return Target{}, err
		}
		in.ChecksumSHA256 = aws.String(base64.StdEncoding.EncodeToString(sum))
	}
	expires := s.now().Add(AddressLifetime).Truncate(time.Second)
	signed, err := s3.NewPresignClient(s.client).PresignPutObject(ctx, in, s3.WithPresignExpires(AddressLifetime))
	if err != nil {
		return Target{}, fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	header := http.Header{}
	for name, values := range signed.SignedHeader {
		if name != "Host" {
			header[name] = values
		}
	}
	return Target{Method: signed.Method, URL: signed.URL, Header: header, ExpiresAt: expires}, nil
}

// Stat heads the object. The type is the one that the sender had to send: S3 does not inspect files.
func (s *S3) Stat(ctx context.Context, key string) (File, error) {
	out, err := s.client.HeadObject(ctx, &s3.HeadObjectInput{Bucket: &s.bucket, Key: &key,
		ChecksumMode: types.ChecksumModeEnabled})
	var api smithy.APIError
	if errors.As(err, &api) && (api.ErrorCode() == "NotFound" || api.ErrorCode() == "NoSuchKey") {
		return File{}, ErrNotFound
	}
	if err != nil {
		return File{}, fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	f := File{Key: key, Size: aws.ToInt64(out.ContentLength), Type: aws.ToString(out.ContentType)}
	if sum, err := base64.StdEncoding.DecodeString(aws.ToString(out.ChecksumSHA256)); err == nil {
		f.SHA256 = hex.EncodeToString(sum)
	}
	return f, nil
}

// Delete removes the object.
func (s *S3) Delete(ctx context.Context, key string) error {
	if _, err := s.client.DeleteObject(ctx, &s3.DeleteObjectInput{Bucket: &s.bucket, Key: &key}); err != nil {
		return fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	return nil
}

// KeysBefore lists objects.
func (s *S3) KeysBefore(ctx context.Context, day string) ([]string, error) {
	var keys []string
	pages := s3.NewListObjectsV2Paginator(s.client, &s3.ListObjectsV2Input{Bucket: &s.bucket})
	for pages.HasMorePages() {
		page, err := pages.NextPage(ctx)
		if err != nil {
			return nil, fmt.Errorf("%w: %w", ErrUnavailable, err)
		}
		for _, object := range page.Contents {
			switch key := aws.ToString(object.Key); {
			case key >= day: // S3 lists keys in order
				return keys, nil
			case keyPattern.MatchString(key):
				keys = append(keys, key)
			}
		}
	}
	return keys, nil
}
