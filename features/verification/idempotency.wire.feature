Feature: A creation that is sent again makes no second case, on the wire
  What the service asks of its store for this, what the store holds then, and what HTTP answers.

  @VR-R11.first
  Scenario: The same key and the same body is the same case, on the wire
    When "acme" opens a case with the idempotency key "order-1"
    Then the answer has no header "Idempotency-Replayed"
    And the store was asked for a transaction of:
      | Put of "AuthBridgeTable", only if "attribute_not_exists(PK)" |
      | Put of "AuthBridgeTable"                                     |
      | Put of "AuthBridgeTable", only if "attribute_not_exists(PK)" |
    When "acme" opens a case with the idempotency key "order-1"
    Then the answer's header "Idempotency-Replayed" is "true"
    And the store was never asked for a TransactWriteItems

  @VR-R11.race
  Scenario: Many requests with one key at once make one case, on the wire
    When "acme" opens a case with the idempotency key "order-1" 6 times at once
    Then 1 of the answers is 201 and the others are 200
    And all answers are about one case

  @VR-R11.body
  Scenario: The same key with another body is refused, on the wire
    Given "acme" opens a case with the idempotency key "order-1"
    When "acme" opens a case with the idempotency key "order-1" about a passport
    Then the answer names the field "header.Idempotency-Key"
