Feature: A creation that is sent again makes no second case, on the wire
  What the service asks of its store for this, what the store holds then, and what HTTP answers.

  @VR-R11.first
  Scenario: The same key and the same body is the same case, on the wire
    When "acme" opens a case with the idempotency key "order-1"
    Then the answer has no header "Idempotency-Replayed"
    And the store was asked for a transaction of:
      | Put of "AuthBridgeTable", only if "attribute_not_exists(PK)"                               |
      | Put of "AuthBridgeTable", only if "attribute_not_exists(PK) OR ttl <= {seconds in 0 days}" |
      | Put of "AuthBridgeTable", only if "attribute_not_exists(PK)"                               |
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

  @VR-R11.together
  Scenario: A document and the marker of its key are one transaction
    Given "acme" has opened the case "c1"
    When "acme" announces the document "omang_front" of "c1" with the idempotency key "k1"
    Then it is created
    And the store was asked for a transaction of:
      | Update of "AuthBridgeTable" where "PK = 'CASE#{c1}' AND SK = 'META'", only if "status = 'created' AND documentCount = 0" |
      | Put of "AuthBridgeTable", only if "attribute_not_exists(PK)"                                                             |
      | Put of "AuthBridgeTable", only if "attribute_not_exists(PK) OR ttl <= {seconds in 0 days}"                               |
      | Put of "AuthBridgeTable", only if "attribute_not_exists(PK)"                                                             |
    When the same request is sent again
    Then the answer's header "Idempotency-Replayed" is "true"
    And nothing was written but the audit trail

  @VR-R11.together
  Scenario Outline: <thing> and the marker of its key are one transaction, and a repeat writes its entry alone
    Given the client "acme"
    And what was asked before is forgotten
    When <does> with the idempotency key "k1"
    Then it is created
    And the store was asked for a transaction of:
      | Put of "AuthBridgeTable", only if "attribute_not_exists(PK)"                               |
      | Put of "AuthBridgeTable", only if "attribute_not_exists(PK) OR ttl <= {seconds in 0 days}" |
      | Put of "AuthBridgeTable", only if "attribute_not_exists(PK)"                               |
    When the same request is sent again
    Then the answer's header "Idempotency-Replayed" is "true"
    And nothing was written but the audit trail

    Examples:
      | thing      | does                                          |
      | A session  | "acme" opens a session                        |
      | An API key | the administrator makes an API key for "shop" |

  @VR-R11.race
  Scenario: Many announcements with one key at once are one document
    Given "acme" has opened the case "c1"
    And each TransactWriteItems waits until 2 are there and no more come
    When "acme" announces the document "omang_front" of "c1" with the idempotency key "k1" 6 times at once
    Then 1 of the answers is 201 and the others are 200
    And the table holds 1 "DOC#" items

  @VR-R11.race
  Scenario: Many requests for an API key with one key at once make one
    Given each TransactWriteItems waits until 2 are there and no more come
    When the administrator makes an API key for "shop" with the idempotency key "k1" 6 times at once
    Then 1 of the answers is 201 and the others are 200
    And the table holds 1 "APIKEY#" items

  @VR-R11.private
  Scenario: Neither a key nor what was sent with it is in the table
    When the administrator makes an API key for "shop" with the idempotency key "order-1234"
    Then the table holds 1 "IDEM#" items
    And no table shows "order-1234"

  @VR-R11.together @needs:commands
  Scenario: What the store does and whose answer is lost is there once
    Given "acme" has opened the case "c1"
    And the next TransactWriteItems of "AuthBridgeTable" loses its answer
    When "acme" announces the document "omang_front" of "c1" with the idempotency key "k1"
    Then it is created
    And the table holds 1 "DOC#" items

  @VR-R8.shown @needs:commands
  Scenario: An entry whose answer is lost is in the trail once, and what was asked for is shown
    Given "acme" has opened the case "c1"
    And the next PutItem of "AuthBridgeTable" loses its answer
    When 1 second passes
    And "acme" looks at "c1"
    Then the answer is 200
    And the trail of "{client acme}" ends with "case.read | {c1} | done"
