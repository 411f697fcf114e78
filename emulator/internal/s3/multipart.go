package s3

import (
	"encoding/xml"
	"net/http"
	"strconv"
)

func (c *call) createMultipartUpload() error {
	id, err := c.Store.createUpload(&upload{c.bucket, c.key, headersOf(c.r.Header)})
	if err != nil {
		return err
	}
	c.answer(http.StatusOK, &struct {
		XMLName  xml.Name `xml:"InitiateMultipartUploadResult"`
		XMLNS    string   `xml:"xmlns,attr"`
		Bucket   string
		Key      string
		UploadID string `xml:"UploadId"`
	}{XMLNS: namespace, Bucket: c.bucket, Key: c.key, UploadID: id})
	return nil
}

func (c *call) uploadPart() error {
	query := c.r.URL.Query()
	number, err := strconv.Atoi(query.Get("partNumber"))
	if err != nil || number < 1 || number > maxPart {
		return errInvalidArgument
	}
	if c.r.Header.Get("X-Amz-Copy-Source") != "" {
		return errNotImplemented
	}
	content := openBody(c.r)
	etag, err := c.Store.putPart(c.bucket, c.key, query.Get("uploadId"), number, content)
	if err != nil {
		return err
	}
	content.setChecksums(c.w.Header())
	c.w.Header().Set("ETag", quote(etag))
	c.w.WriteHeader(http.StatusOK)
	return nil
}

func (c *call) completeMultipartUpload() error {
	var in struct{ Part []completedPart }
	if err := c.readDocument(&in); err != nil {
		return err
	}
	onlyNew, err := c.onlyNew()
	if err != nil {
		return err
	}
	o, err := c.Store.completeUpload(c.bucket, c.key, c.r.URL.Query().Get("uploadId"), in.Part, onlyNew)
	if err != nil {
		return err
	}
	c.answer(http.StatusOK, &struct {
		XMLName  xml.Name `xml:"CompleteMultipartUploadResult"`
		XMLNS    string   `xml:"xmlns,attr"`
		Location string
		Bucket   string
		Key      string
		ETag     string
	}{XMLNS: namespace, Location: "http://" + c.r.Host + "/" + c.bucket + "/" + c.key, Bucket: c.bucket, Key: c.key,
		ETag: quote(o.ETag)})
	return nil
}

func (c *call) abortMultipartUpload() error {
	if err := c.Store.abortUpload(c.bucket, c.key, c.r.URL.Query().Get("uploadId")); err != nil {
		return err
	}
	c.w.WriteHeader(http.StatusNoContent)
	return nil
}

type listedPart struct {
	PartNumber   int
	ETag         string
	Size         int64
	LastModified string
}

func (c *call) listParts() error {
	id := c.r.URL.Query().Get("uploadId")
	found, err := c.Store.parts(c.bucket, c.key, id)
	if err != nil {
		return err
	}
	c.answer(http.StatusOK, &struct {
		XMLName     xml.Name `xml:"ListPartsResult"`
		XMLNS       string   `xml:"xmlns,attr"`
		Bucket      string
		Key         string
		UploadID    string `xml:"UploadId"`
		MaxParts    int
		IsTruncated bool
		Part        []listedPart
	}{XMLNS: namespace, Bucket: c.bucket, Key: c.key, UploadID: id, MaxParts: maxPart, Part: found})
	return nil
}
