package s3

import (
	"encoding/base64"
	"encoding/xml"
	"net/http"
	"net/url"
	"strconv"

	"github.com/tabletop-db/tabletop/emulator/internal/awsapi/accounts"
)

type listedBucket struct{ Name, CreationDate string }

type owner struct{ ID, DisplayName string }

func (c *call) listBuckets() error {
	found, err := c.Store.Buckets()
	if err != nil {
		return err
	}
	out := struct {
		XMLName xml.Name       `xml:"ListAllMyBucketsResult"`
		XMLNS   string         `xml:"xmlns,attr"`
		Buckets []listedBucket `xml:"Buckets>Bucket"`
		Owner   owner
	}{XMLNS: namespace, Owner: owner{accounts.Default, accounts.Default}}
	for _, b := range found {
		out.Buckets = append(out.Buckets, listedBucket{b.Name(), timestamp(b.ModTime())})
	}
	c.answer(http.StatusOK, &out)
	return nil
}

// createBucket creates a bucket. In us-east-1 an existing bucket is not an error; the other regions refuse to create it
// again (AWS, "CreateBucket").
func (c *call) createBucket() error {
	created, err := c.Store.CreateBucket(c.bucket)
	if err != nil {
		return err
	}
	credential, _ := accounts.Credential(c.r)
	if region := accounts.ScopeOf(credential).Region; !created && region != "" && region != accounts.DefaultRegion {
		return errBucketOwned
	}
	c.w.Header().Set("Location", "/"+c.bucket)
	c.w.WriteHeader(http.StatusOK)
	return nil
}

func (c *call) headBucket() error {
	if _, err := c.Store.bucket(c.bucket); err != nil {
		return err
	}
	c.w.Header().Set("X-Amz-Bucket-Region", accounts.DefaultRegion)
	c.w.WriteHeader(http.StatusOK)
	return nil
}

func (c *call) deleteBucket() error {
	if err := c.Store.DeleteBucket(c.bucket); err != nil {
		return err
	}
	c.w.WriteHeader(http.StatusNoContent)
	return nil
}

// getBucketLocation returns the null location, which means us-east-1.
func (c *call) getBucketLocation() error {
	if _, err := c.Store.bucket(c.bucket); err != nil {
		return err
	}
	c.answer(http.StatusOK, &struct {
		XMLName xml.Name `xml:"LocationConstraint"`
		XMLNS   string   `xml:"xmlns,attr"`
	}{XMLNS: namespace})
	return nil
}

type listedObject struct {
	Key          string
	LastModified string
	ETag         string
	Size         int64
	StorageClass string
}

type commonPrefix struct{ Prefix string }

// listing is the response of ListObjectsV2, and of ListObjects, which has Marker and NextMarker.
type listing struct {
	XMLName               xml.Name `xml:"ListBucketResult"`
	XMLNS                 string   `xml:"xmlns,attr"`
	Name                  string
	Prefix                string
	Delimiter             string `xml:",omitempty"`
	MaxKeys               int
	EncodingType          string `xml:",omitempty"`
	IsTruncated           bool
	KeyCount              *int    `xml:",omitempty"`
	StartAfter            string  `xml:",omitempty"`
	ContinuationToken     string  `xml:",omitempty"`
	NextContinuationToken string  `xml:",omitempty"`
	Marker                *string `xml:",omitempty"`
	NextMarker            string  `xml:",omitempty"`
	Contents              []listedObject
	CommonPrefixes        []commonPrefix
}

// maxListed is the maximum number of keys in a response.
const maxListed = 1000

func (c *call) listObjects() error {
	query := c.r.URL.Query()
	limit := maxListed
	if text := query.Get("max-keys"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil || n < 0 {
			return errInvalidArgument
		}
		limit = min(n, maxListed)
	}
	second, after := query.Get("list-type") == "2", query.Get("marker")
	if second {
		after = query.Get("start-after")
		if token := query.Get("continuation-token"); token != "" {
			text, err := base64.URLEncoding.DecodeString(token)
			if err != nil {
				return errInvalidArgument
			}
			after = string(text)
		}
	}
	p, err := c.Store.list(c.r.Context(), c.bucket, query.Get("prefix"), query.Get("delimiter"), after, limit)
	if err != nil {
		return err
	}
	c.answer(http.StatusOK, describePage(c.bucket, query, p, limit, second))
	return nil
}

func describePage(bucket string, query url.Values, p *page, limit int, second bool) *listing {
	encode := func(text string) string { return text }
	if query.Get("encoding-type") == "url" {
		encode = url.QueryEscape
	}
	out := &listing{
		XMLNS: namespace, Name: bucket, Prefix: encode(query.Get("prefix")), Delimiter: encode(query.Get("delimiter")),
		MaxKeys: limit, EncodingType: query.Get("encoding-type"), IsTruncated: p.Truncated,
	}
	for _, o := range p.Objects {
		out.Contents = append(out.Contents, listedObject{encode(o.Key), timestamp(o.Modified), quote(o.ETag), o.Size,
			"STANDARD"})
	}
	for _, prefix := range p.Prefixes {
		out.CommonPrefixes = append(out.CommonPrefixes, commonPrefix{encode(prefix)})
	}
	if !second {
		marker := encode(query.Get("marker"))
		if out.Marker = &marker; p.Truncated {
			out.NextMarker = encode(p.Last)
		}
		return out
	}
	count := len(p.Objects) + len(p.Prefixes)
	out.KeyCount, out.StartAfter = &count, encode(query.Get("start-after"))
	if out.ContinuationToken = query.Get("continuation-token"); p.Truncated {
		out.NextContinuationToken = base64.URLEncoding.EncodeToString([]byte(p.Last))
	}
	return out
}
