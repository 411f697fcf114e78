package emulator

import (
	"encoding/binary"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/awsapi/accounts"
)

// servedScopes are the services of the AWS port, as signatures name them.
var servedScopes = []string{"application-autoscaling", "dynamodb", "kinesis", "kms", "monitoring", "s3", "sts"}

// otherService returns the service that a request is signed for if the AWS port does not serve it, otherwise "".
func otherService(r *http.Request) string {
	credential, ok := accounts.Credential(r)
	scope := strings.Split(credential, "/")
	if !ok || len(scope) < 4 || scope[len(scope)-1] != "aws4_request" {
		return ""
	}
	service := scope[len(scope)-2]
	if len(service) > maxServiceName || slices.Contains(servedScopes, service) {
		return ""
	}
	return service
}

// maxServiceName is the maximum length of a service name in a signature.
const maxServiceName = 64

// refusedService is the error code for a service that the AWS port does not serve. No SDK retries it.
const refusedService = "UnknownOperationException"

// refuseOther refuses a request for a service that the AWS port does not serve. The error has the format of the
// request's protocol, so that the SDK shows its message. The usual cause is AWS_ENDPOINT_URL, which sends the requests
// of all services here.
func refuseOther(w http.ResponseWriter, r *http.Request) {
	message := fmt.Sprintf("The emulator does not serve %q. Set AWS_ENDPOINT_URL_DYNAMODB instead of AWS_ENDPOINT_URL, "+
		"so that only the requests of DynamoDB are sent to it.", otherService(r))
	contentType, body := refusalFor(r, message)
	h := w.Header()
	h.Set("Content-Type", contentType)
	h.Set("X-Amzn-Errortype", refusedService)
	h.Set("Connection", "close") // the body of the request is not read
	if contentType == "application/cbor" {
		h.Set("Smithy-Protocol", rpcCBOR)
	}
	w.WriteHeader(http.StatusBadRequest)
	_, _ = w.Write(body) // the client may be gone
}

// rpcCBOR is the value of the header Smithy-Protocol for requests in CBOR.
const rpcCBOR = "rpc-v2-cbor"

// restXML are the services whose errors are XML although their requests are not forms.
var restXML = []string{"cloudfront", "route53", "s3-object-lambda", "s3-outposts", "s3express"}

// refusalFor returns an error in the format of a request's protocol.
func refusalFor(r *http.Request, message string) (contentType string, body []byte) {
	sent := r.Header.Get("Content-Type")
	switch service := otherService(r); {
	case r.Header.Get("Smithy-Protocol") == rpcCBOR:
		return "application/cbor", cborError(message)
	case r.Header.Get("X-Amz-Target") != "" && strings.HasPrefix(sent, "application/x-amz-json-"):
		return sent, jsonError(message)
	case service == "ec2":
		return "text/xml", xmlError("<Response><Errors><Error>", message, "</Error></Errors></Response>\n")
	case strings.HasPrefix(sent, "application/x-www-form-urlencoded"), slices.Contains(restXML, service):
		return "text/xml", xmlError("<ErrorResponse><Error><Type>Sender</Type>", message, "</Error></ErrorResponse>\n")
	}
	return "application/json", jsonError(message)
}

func jsonError(message string) []byte {
	body, _ := json.Marshal(struct { // cannot fail: strings only
		Type    string `json:"__type"`
		Message string `json:"message"`
	}{refusedService, message})
	return body
}

func xmlError(before, message, after string) []byte {
	var b strings.Builder
	b.WriteString(before + "<Code>" + refusedService + "</Code><Message>")
	_ = xml.EscapeText(&b, []byte(message)) // a Builder has no errors
	_, _ = io.WriteString(&b, "</Message>"+after)
	return []byte(b.String())
}

// cborError returns a map of two texts.
func cborError(message string) []byte {
	const mapOfTwo = 0xa2
	body := appendCBORText(appendCBORText([]byte{mapOfTwo}, "__type"), refusedService)
	return appendCBORText(appendCBORText(body, "message"), message)
}

// appendCBORText appends a text of less than 64 KiB. (RFC 8949, section 3.)
func appendCBORText(dst []byte, text string) []byte {
	const textWithTwoBytesOfLength = 0x79
	dst = binary.BigEndian.AppendUint16(append(dst, textWithTwoBytesOfLength), uint16(len(text)))
	return append(dst, text...)
}
