package s3

import (
	"encoding/xml"
	"net/http"
	"strconv"
)

// listedVersion is an object in the response of ListObjectVersions.
type listedVersion struct {
	Key          string
	VersionID    string `xml:"VersionId"`
	IsLatest     bool
	LastModified string
	ETag         string
	Size         int64
	StorageClass string
}

// versionListing is the response of ListObjectVersions.
type versionListing struct {
	XMLName             xml.Name `xml:"ListVersionsResult"`
	XMLNS               string   `xml:"xmlns,attr"`
	Name                string
	Prefix              string
	KeyMarker           string
	VersionIDMarker     string `xml:"VersionIdMarker"`
	NextKeyMarker       string `xml:",omitempty"`
	NextVersionIDMarker string `xml:"NextVersionIdMarker,omitempty"`
	MaxKeys             int
	Delimiter           string `xml:",omitempty"`
	EncodingType        string `xml:",omitempty"`
	IsTruncated         bool
	Version             []listedVersion
	CommonPrefixes      []commonPrefix
}

// nullVersion is the version of every object of a bucket without versions.
const nullVersion = "null"

// listObjectVersions lists the objects, each of which has one version: buckets have no versions.
func (c *call) listObjectVersions() error {
	query := c.r.URL.Query()
	limit := maxListed
	if text := query.Get("max-keys"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil || n < 0 {
			return errInvalidArgument
		}
		limit = min(n, maxListed)
	}
	p, err := c.Store.list(c.r.Context(), c.bucket, query.Get("prefix"), query.Get("delimiter"),
		query.Get("key-marker"), limit)
	if err != nil {
		return err
	}
	l := describePage(c.bucket, query, p, limit, false)
	out := &versionListing{
		XMLNS: namespace, Name: l.Name, Prefix: l.Prefix, KeyMarker: query.Get("key-marker"), MaxKeys: l.MaxKeys,
		Delimiter: l.Delimiter, EncodingType: l.EncodingType, IsTruncated: l.IsTruncated, CommonPrefixes: l.CommonPrefixes,
	}
	if out.NextKeyMarker = l.NextMarker; out.IsTruncated {
		out.NextVersionIDMarker = nullVersion
	}
	for _, o := range l.Contents {
		out.Version = append(out.Version, listedVersion{o.Key, nullVersion, true, o.LastModified, o.ETag, o.Size,
			o.StorageClass})
	}
	c.answer(http.StatusOK, out)
	return nil
}
