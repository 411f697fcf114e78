Feature: A creation that is sent again makes no second case
  A client whose answer got lost sends its request again with the same Idempotency-Key, and gets the case that it made.

  @VR-R11.first
  Scenario: The same key and the same body is the same case
    When "acme" opens a case with the idempotency key "order-1"
    Then the answer is 201
    And the answer has no header "Idempotency-Replayed"
    And the store was asked for a transaction of:
      | Put of "AuthBridgeTable", only if "attribute_not_exists(PK)" |
      | Put of "AuthBridgeTable"                                     |
      | Put of "AuthBridgeTable", only if "attribute_not_exists(PK)" |
    Given that answer is remembered
    When "acme" opens a case with the idempotency key "order-1"
    Then the answer is 200
    And the answer's header "Idempotency-Replayed" is "true"
    And it is the remembered case
    And the store was never asked for a TransactWriteItems

  @VR-R11.race
  Scenario: Many requests with one key at once make one case
    When "acme" opens a case with the idempotency key "order-1" 6 times at once
    Then 1 of the answers is 201 and the others are 200
    And all answers are about one case
    When "acme" lists its cases
    Then the list has 1 cases in 1 pages

  @VR-R11.first
  Scenario: The answer to a repeat is the case as it is now
    Given "acme" opens a case with the idempotency key "order-1"
    And that answer's case is called "c1"
    When "acme" announces the document "omang_front" of "c1"
    And "acme" opens a case with the idempotency key "order-1"
    Then the answer is 200
    And the answer's "status" is "documents_uploading"

  @VR-R11.body
  Scenario: The same key with another body is refused
    Given "acme" opens a case with the idempotency key "order-1"
    When "acme" opens a case with the idempotency key "order-1" about a passport
    Then the answer is 422
    And the answer names the field "header.Idempotency-Key"
    And nothing was written

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
    Then the answer is 201

  @VR-R11.day
  Scenario: A key is remembered for 24 hours
    Given "acme" opens a case with the idempotency key "order-1"
    When 86399 seconds pass
    And "acme" opens a case with the idempotency key "order-1"
    Then the answer is 200
    When 1 second passes
    And "acme" opens a case with the idempotency key "order-1" about a passport
    Then the answer is 201
