package s3

import "net/http"

// Error is an error of the service. The messages are those of its API reference.
type Error struct {
	Status        int
	Code, Message string
}

func (e *Error) Error() string { return e.Code + ": " + e.Message }

var (
	errNoSuchBucket = &Error{http.StatusNotFound, "NoSuchBucket", "The specified bucket does not exist"}
	errNoSuchKey    = &Error{http.StatusNotFound, "NoSuchKey", "The specified key does not exist."}
	errNoSuchUpload = &Error{http.StatusNotFound, "NoSuchUpload",
		"The specified upload does not exist. The upload ID may be invalid, or the upload may have been aborted or completed."}
	errBucketNotEmpty = &Error{http.StatusConflict, "BucketNotEmpty", "The bucket you tried to delete is not empty"}
	errBucketOwned    = &Error{http.StatusConflict, "BucketAlreadyOwnedByYou",
		"Your previous request to create the named bucket succeeded and you already own it."}
	errInvalidBucketName = &Error{http.StatusBadRequest, "InvalidBucketName", "The specified bucket is not valid."}
	errKeyTooLong        = &Error{http.StatusBadRequest, "KeyTooLongError", "Your key is too long"}
	errFolderInTheWay    = &Error{http.StatusBadRequest,
		"InvalidRequest", "The emulator stores objects as files: an object cannot have the key of a folder of another object, or be in another object."}
	errPrecondition = &Error{http.StatusPreconditionFailed, "PreconditionFailed",
		"At least one of the pre-conditions you specified did not hold"}
	errBadDigest = &Error{http.StatusBadRequest, "BadDigest",
		"The Content-MD5 or checksum value that you specified did not match what the server received."}
	errPayloadMismatch = &Error{http.StatusBadRequest, "XAmzContentSHA256Mismatch",
		"The provided 'x-amz-content-sha256' header does not match what was computed."}
	errIncompleteBody = &Error{http.StatusBadRequest, "IncompleteBody",
		"You did not provide the number of bytes specified by the Content-Length HTTP header."}
	errMalformedXML = &Error{http.StatusBadRequest, "MalformedXML",
		"The XML you provided was not well-formed or did not validate against our published schema"}
	errInvalidPart = &Error{http.StatusBadRequest,
		"InvalidPart", "One or more of the specified parts could not be found. The part may not have been uploaded, or the specified entity tag may not match the part's entity tag."}
	errInvalidPartOrder = &Error{http.StatusBadRequest, "InvalidPartOrder",
		"The list of parts was not in ascending order. The parts list must be specified in order by part number."}
	errNoSuchTagSet = &Error{http.StatusNotFound, "NoSuchTagSet", "The TagSet does not exist"}
	errInvalidTag   = &Error{http.StatusBadRequest, "InvalidTag", "The tag provided was not a valid tag. This error can occur if " +
		"the tag did not pass input validation."}
	errInvalidArgument  = &Error{http.StatusBadRequest, "InvalidArgument", "Invalid Argument"}
	errMethodNotAllowed = &Error{http.StatusMethodNotAllowed, "MethodNotAllowed",
		"The specified method is not allowed against this resource."}
	errNotImplemented = &Error{http.StatusNotImplemented, "NotImplemented",
		"A header you provided implies functionality that is not implemented"}
	errInternal = &Error{http.StatusInternalServerError, "InternalError",
		"We encountered an internal error. Please try again."}
)
