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

  @VR-R11.body
  Scenario: The same key with another body is refused
    Given "acme" opens a case with the idempotency key "order-1"
    When "acme" opens a case with the idempotency key "order-1" about a passport
    Then it is refused as invalid
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
