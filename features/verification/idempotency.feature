Feature: A repeated request creates one case
  A client that got no response sends its request again with the same Idempotency-Key, and gets the case that it
  created.

  @VR-R11.first
  Scenario: The same key with the same body gives the same case
    When "acme" opens a case with the idempotency key "order-1"
    Then it is created
    Given that response is remembered
    When "acme" opens a case with the idempotency key "order-1"
    Then the request succeeds
    And it is the remembered case

  @VR-R11.race
  Scenario: Many simultaneous requests with one key open one case
    When "acme" opens a case with the idempotency key "order-1" 6 times at once
    And "acme" lists its cases
    Then the list has 1 case in 1 page

  @VR-R11.first
  Scenario: The answer to a repeat is the case as it is now
    Given "acme" opens a case with the idempotency key "order-1"
    And the case of that response is saved as "c1"
    When "acme" announces the document "omang_front" of "c1"
    And "acme" opens a case with the idempotency key "order-1"
    Then the request succeeds
    And the response's "status" is "documents_uploading"

  @VR-R11.body @VR-R8.refusals
  Scenario: The same key with another body is refused, and the trail records it
    Given "acme" opens a case with the idempotency key "order-1"
    When 1 second passes
    And "acme" opens a case with the idempotency key "order-1" about a passport
    Then it is refused as invalid
    And nothing was written except the audit trail
    And the trail of "{client acme}" ends with "case.create |  | refused"

  @VR-R11.optional
  Scenario: Without a key, each request opens a new case
    Given "acme" has opened the case "c1"
    And "acme" has opened the case "c2"
    When "acme" lists its cases
    Then the list has 2 cases in 1 page

  @VR-R11.client
  Scenario: An idempotency key belongs to one client
    Given "acme" opens a case with the idempotency key "order-1"
    When "other" opens a case with the idempotency key "order-1"
    Then it is created

  @VR-R11.day
  Scenario: A key is remembered for 24 hours
    Given "acme" opens a case with the idempotency key "order-1"
    When 86399 seconds pass
    And "acme" opens a case with the idempotency key "order-1"
    Then the request succeeds
    When 1 second passes
    And "acme" opens a case with the idempotency key "order-1" about a passport
    Then it is created

  @VR-R11.document
  Scenario: A document that is announced again with the same key gets an upload address again
    Given "acme" has opened the case "c1"
    And "acme" announces the document "omang_front" of "c1" with the idempotency key "k1"
    And the response's "document.documentId" is saved as "first"
    When 20 minutes pass
    And the same request is sent again
    Then the request succeeds
    And the response's "document.documentId" is "{first}"
    When the file of "omang_front" is sent to the address of that response
    And "acme" confirms the upload of "omang_front"
    Then the request succeeds
    When "acme" confirms that all documents of "c1" are uploaded
    Then the request succeeds

  @VR-R11.document
  Scenario: A document that is announced again after its upload gets no upload address
    Given "acme" has opened the case "c1"
    And "acme" announces the document "omang_front" of "c1" with the idempotency key "k1"
    And the response's "document.documentId" is saved as "first"
    And the file of "omang_front" is sent to the address of that response
    And "acme" confirms the upload of "omang_front"
    When the same request is sent again
    Then the request succeeds
    And the response's "document.documentId" is "{first}"
    And the response's "document.status" is "uploaded"
    And the response has no "upload"

  @VR-R11.body
  Scenario: The key of one document cannot be used for another
    Given "acme" has opened the case "c1"
    And "acme" announces the document "omang_front" of "c1" with the idempotency key "k1"
    When "acme" announces the document "omang_back" of "c1" with the idempotency key "k1"
    Then it is refused as invalid

  @VR-R11.body
  Scenario: The key of a document cannot be used for another case
    Given "acme" has opened the case "c1"
    And "acme" has opened the case "c2"
    And "acme" announces the document "selfie" of "c1" with the idempotency key "k1"
    When "acme" announces the document "selfie" of "c2" with the idempotency key "k1"
    Then it is refused as invalid

  @VR-R11.key
  Scenario: An API key that is requested again with the same key is not created twice
    Given the administrator creates an API key for "shop" with the idempotency key "k1"
    And the response's "keyId" is saved as "first"
    When the same request is sent again
    Then the request succeeds
    And the response's "keyId" is "{first}"
    And the response's "description" is "shop"
    And the response has no "apiKey"
    When the administrator creates an API key for "shop" with the idempotency key "k2"
    Then it is created

  @VR-R11.session
  Scenario: A session that is opened again with the same key is opened once
    Given "acme" opens a session with the idempotency key "k1"
    And the response's "sessionId" is saved as "first"
    When the same request is sent again
    Then the request succeeds
    And the response's "sessionId" is "{first}"
    And the response has no "token"
    When 1 hour passes
    And the same request is sent again
    Then it is not found

  @VR-R11.client
  Scenario: The idempotency key of a session belongs to the API key that opened it
    Given "acme" opens a session with the idempotency key "k1"
    And the client "acme" has another API key
    When "acme" opens a session with the idempotency key "k1"
    Then it is refused as invalid

  @VR-R8.refusals
  Scenario: A repeated request leaves its own entry
    Given "acme" has opened the case "c1"
    And "acme" announces the document "omang_front" of "c1" with the idempotency key "k1"
    And the response's "document.documentId" is saved as "first"
    When 1 second passes
    And the same request is sent again
    Then the trail of "{client acme}" ends with "document.add | {c1} {first} | replayed"
