Feature: A creation that is sent again makes no second case
  A client whose answer got lost sends its request again with the same Idempotency-Key, and gets the case that it made.

  @VR-R11.first
  Scenario: The same key and the same body is the same case
    When "acme" opens a case with the idempotency key "order-1"
    Then it is created
    Given that answer is remembered
    When "acme" opens a case with the idempotency key "order-1"
    Then the request succeeds
    And it is the remembered case

  @VR-R11.race
  Scenario: Many requests with one key at once make one case
    When "acme" opens a case with the idempotency key "order-1" 6 times at once
    And "acme" lists its cases
    Then the list has 1 cases in 1 pages

  @VR-R11.first
  Scenario: The answer to a repeat is the case as it is now
    Given "acme" opens a case with the idempotency key "order-1"
    And that answer's case is called "c1"
    When "acme" announces the document "omang_front" of "c1"
    And "acme" opens a case with the idempotency key "order-1"
    Then the request succeeds
    And the answer's "status" is "documents_uploading"

  @VR-R11.body @VR-R8.refusals
  Scenario: The same key with another body is refused, and the refusal is in the trail
    Given "acme" opens a case with the idempotency key "order-1"
    When 1 second passes
    And "acme" opens a case with the idempotency key "order-1" about a passport
    Then it is refused as invalid
    And nothing was written but the audit trail
    And the trail of "{client acme}" ends with "case.create |  | refused"

  @VR-R11.optional
  Scenario: Without a key each request makes a case of its own
    Given "acme" has opened the case "c1"
    And "acme" has opened the case "c2"
    When "acme" lists its cases
    Then the list has 2 cases in 1 pages

  @VR-R11.client
  Scenario: A key is of one client
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
  Scenario: A document that is announced again with the same key is the same document, with an address for its file
    Given "acme" has opened the case "c1"
    And "acme" announces the document "omang_front" of "c1" with the idempotency key "k1"
    And the answer's "document.documentId" is called "first"
    When 20 minutes pass
    And the same request is sent again
    Then the request succeeds
    And the answer's "document.documentId" is "{first}"
    When the file of "omang_front" goes to the address of that answer
    And "acme" says that "omang_front" is there
    Then the request succeeds
    When "acme" says that all documents of "c1" are there
    Then the request succeeds

  @VR-R11.document
  Scenario: A document whose file is there is shown without an address
    Given "acme" has opened the case "c1"
    And "acme" announces the document "omang_front" of "c1" with the idempotency key "k1"
    And the answer's "document.documentId" is called "first"
    And the file of "omang_front" goes to the address of that answer
    And "acme" says that "omang_front" is there
    When the same request is sent again
    Then the request succeeds
    And the answer's "document.documentId" is "{first}"
    And the answer's "document.status" is "uploaded"
    And the answer has no "upload"

  @VR-R11.body
  Scenario: The key of one document announces no other one
    Given "acme" has opened the case "c1"
    And "acme" announces the document "omang_front" of "c1" with the idempotency key "k1"
    When "acme" announces the document "omang_back" of "c1" with the idempotency key "k1"
    Then it is refused as invalid

  @VR-R11.body
  Scenario: The key of a document of one case announces none of another
    Given "acme" has opened the case "c1"
    And "acme" has opened the case "c2"
    And "acme" announces the document "selfie" of "c1" with the idempotency key "k1"
    When "acme" announces the document "selfie" of "c2" with the idempotency key "k1"
    Then it is refused as invalid

  @VR-R11.key
  Scenario: An API key that is made again with the same key is not made twice, and can be revoked
    Given the administrator makes an API key for "shop" with the idempotency key "k1"
    And the answer's "keyId" is called "first"
    When the same request is sent again
    Then the request succeeds
    And the answer's "keyId" is "{first}"
    And the answer's "description" is "shop"
    And the answer has no "apiKey"
    When the administrator makes an API key for "shop" with the idempotency key "k2"
    Then it is created

  @VR-R11.session
  Scenario: A session that is opened again with the same key is opened once
    Given "acme" opens a session with the idempotency key "k1"
    And the answer's "sessionId" is called "first"
    When the same request is sent again
    Then the request succeeds
    And the answer's "sessionId" is "{first}"
    And the answer has no "token"
    When 1 hour passes
    And the same request is sent again
    Then it is not found

  @VR-R11.client
  Scenario: A key of a session is of the API key that opened it
    Given "acme" opens a session with the idempotency key "k1"
    And the client "acme" has another API key
    When "acme" opens a session with the idempotency key "k1"
    Then it is refused as invalid

  @VR-R8.refusals
  Scenario: What is sent again leaves an entry of its own, whatever it makes
    Given "acme" has opened the case "c1"
    And "acme" announces the document "omang_front" of "c1" with the idempotency key "k1"
    And the answer's "document.documentId" is called "first"
    When 1 second passes
    And the same request is sent again
    Then the trail of "{client acme}" ends with "document.add | {c1} {first} | replayed"
