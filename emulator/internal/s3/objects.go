package s3

import (
	"encoding/xml"
	"errors"
	"io"
	"maps"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// storedHeaders are the headers of a PutObject that a GetObject returns, besides those of metadata and checksums.
var storedHeaders = []string{"Cache-Control", "Content-Disposition", "Content-Encoding", "Content-Language",
	"Content-Type", "Expires"}

const metadataPrefix = "X-Amz-Meta-"

// headersOf returns the headers of a request that belong to its object.
func headersOf(h http.Header) map[string]string {
	found := map[string]string{}
	for _, name := range storedHeaders {
		if value := h.Get(name); value != "" {
			found[name] = value
		}
	}
	var encodings []string
	for one := range strings.SplitSeq(found["Content-Encoding"], ",") {
		if one = strings.TrimSpace(one); one != "" && one != "aws-chunked" {
			encodings = append(encodings, one)
		}
	}
	if found["Content-Encoding"] = strings.Join(encodings, ","); len(encodings) == 0 {
		delete(found, "Content-Encoding")
	}
	for name := range h {
		if strings.HasPrefix(name, metadataPrefix) {
			found[name] = h.Get(name)
		}
	}
	return found
}

// onlyNew reports whether a request must not replace an object.
func (c *call) onlyNew() (bool, error) {
	if c.r.Header.Get("If-Match") != "" {
		return false, errNotImplemented
	}
	switch c.r.Header.Get("If-None-Match") {
	case "":
		return false, nil
	case "*":
		return true, nil
	}
	return false, errNotImplemented
}

func (c *call) putObject() error {
	if c.r.Header.Get("X-Amz-Copy-Source") != "" {
		return c.copyObject()
	}
	onlyNew, err := c.onlyNew()
	if err != nil {
		return err
	}
	w, err := c.Store.Create(c.bucket, c.key)
	if err != nil {
		return err
	}
	defer w.Abort()
	content := openBody(c.r)
	if _, err := io.Copy(w, content); err != nil {
		return err
	}
	headers := headersOf(c.r.Header)
	sums := http.Header{}
	content.setChecksums(sums)
	for name := range sums {
		headers[name] = sums.Get(name)
	}
	o, err := w.commit("", headers, onlyNew)
	if err != nil {
		return err
	}
	maps.Copy(c.w.Header(), sums)
	c.w.Header().Set("ETag", quote(o.ETag))
	c.w.WriteHeader(http.StatusOK)
	return nil
}

// copyConditions are the headers of conditions on the copied object, which are not supported.
var copyConditions = []string{"X-Amz-Copy-Source-If-Match", "X-Amz-Copy-Source-If-None-Match",
	"X-Amz-Copy-Source-If-Modified-Since", "X-Amz-Copy-Source-If-Unmodified-Since"}

// copyObject copies an object, which the request names as BUCKET/KEY.
func (c *call) copyObject() error {
	for _, name := range copyConditions {
		if c.r.Header.Get(name) != "" {
			return errNotImplemented
		}
	}
	onlyNew, err := c.onlyNew()
	if err != nil {
		return err
	}
	source, _, _ := strings.Cut(c.r.Header.Get("X-Amz-Copy-Source"), "?")
	source, err = url.PathUnescape(strings.TrimPrefix(source, "/"))
	if err != nil {
		return errInvalidArgument
	}
	bucket, key, _ := strings.Cut(source, "/")
	if err := c.forKey(bucket, key).authorize("GetObject"); err != nil {
		return err
	}
	from, original, err := c.Store.openObject(bucket, key)
	if err != nil {
		return err
	}
	defer from.Close()
	w, err := c.Store.Create(c.bucket, c.key)
	if err != nil {
		return err
	}
	defer w.Abort()
	if _, err := io.Copy(w, from); err != nil {
		return err
	}
	headers := original.Headers
	if c.r.Header.Get("X-Amz-Metadata-Directive") == "REPLACE" {
		headers = headersOf(c.r.Header)
	}
	o, err := w.commit("", headers, onlyNew)
	if err != nil {
		return err
	}
	c.answer(http.StatusOK, &struct {
		XMLName      xml.Name `xml:"CopyObjectResult"`
		XMLNS        string   `xml:"xmlns,attr"`
		ETag         string
		LastModified string
	}{XMLNS: namespace, ETag: quote(o.ETag), LastModified: timestamp(o.Modified)})
	return nil
}

// forKey returns the call for another object, to authorize it.
func (c *call) forKey(bucket, key string) *call {
	return &call{Server: c.Server, r: c.r, bucket: bucket, key: key, who: c.who}
}

// getObject runs GetObject and HeadObject, with ranges and conditions.
func (c *call) getObject() error {
	content, o, err := c.Store.openObject(c.bucket, c.key)
	if err != nil {
		return err
	}
	defer content.Close()
	if !c.isAsDemanded(o) {
		return errPrecondition
	}
	header := c.w.Header()
	header.Set("Content-Type", "binary/octet-stream")
	whole := c.r.Header.Get("Range") == "" && c.r.Header.Get("X-Amz-Checksum-Mode") == "ENABLED"
	for name, value := range o.Headers {
		if whole || !strings.HasPrefix(name, checksumPrefix) {
			header.Set(name, value)
		}
	}
	query := c.r.URL.Query()
	for _, field := range storedHeaders { // no others (API reference, GetObject)
		if values := query["response-"+strings.ToLower(field)]; len(values) > 0 {
			header.Set(field, values[0])
		}
	}
	header.Set("ETag", quote(o.ETag))
	if c.r.Header.Get("Range") == "" {
		header.Set("Content-Length", strconv.FormatInt(o.Size, 10)) // ServeContent omits it if there is a Content-Encoding
	}
	http.ServeContent(c.w, c.r, "", o.Modified, content)
	return nil
}

// isAsDemanded reports whether the object is what If-Match demands, or without that If-Unmodified-Since. They are
// removed from the request: http.ServeContent would answer without S3's error.
func (c *call) isAsDemanded(o *Object) bool {
	tags, since := c.r.Header.Get("If-Match"), c.r.Header.Get("If-Unmodified-Since")
	c.r.Header.Del("If-Match")
	c.r.Header.Del("If-Unmodified-Since")
	if tags != "" {
		for tag := range strings.SplitSeq(tags, ",") {
			if tag = strings.Trim(tag, " \t"); tag == "*" || strings.Trim(tag, `"`) == o.ETag {
				return true
			}
		}
		return false
	}
	latest, err := http.ParseTime(since)
	return err != nil || !o.Modified.Truncate(time.Second).After(latest)
}

func (c *call) deleteObject() error {
	if err := c.Store.Delete(c.bucket, c.key); err != nil {
		return err
	}
	c.w.WriteHeader(http.StatusNoContent)
	return nil
}

// maxDocument is the maximum size of a request's document in bytes.
const maxDocument = 2 << 20

// readDocument reads a request's document.
func (c *call) readDocument(into any) error {
	text, err := io.ReadAll(io.LimitReader(openBody(c.r), maxDocument))
	if err != nil {
		return err
	}
	if xml.Unmarshal(text, into) != nil {
		return errMalformedXML
	}
	return nil
}

func (c *call) deleteObjects() error {
	type object struct{ Key string }
	type refused struct{ Key, Code, Message string }
	var in struct {
		Quiet  bool
		Object []object
	}
	if err := c.readDocument(&in); err != nil {
		return err
	}
	if len(in.Object) == 0 || len(in.Object) > maxListed {
		return errMalformedXML
	}
	if _, err := c.Store.bucket(c.bucket); err != nil {
		return err
	}
	out := struct {
		XMLName xml.Name `xml:"DeleteResult"`
		XMLNS   string   `xml:"xmlns,attr"`
		Deleted []object
		Error   []refused
	}{XMLNS: namespace}
	var permitted []string
	for _, o := range in.Object {
		err := c.forKey(c.bucket, o.Key).authorize("DeleteObject")
		if e, ok := errors.AsType[*Error](err); ok {
			out.Error = append(out.Error, refused{o.Key, e.Code, e.Message})
			continue
		}
		if err != nil {
			return err
		}
		permitted = append(permitted, o.Key)
		if !in.Quiet {
			out.Deleted = append(out.Deleted, o)
		}
	}
	if err := c.Store.Delete(c.bucket, permitted...); err != nil {
		return err
	}
	c.answer(http.StatusOK, &out)
	return nil
}
