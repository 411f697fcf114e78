Feature: A repeated request creates one case, on the wire
  The requests that the service sends to its store, the items that the store then holds, and the HTTP responses.

  @VR-R11.first
  Scenario: The same key with the same body gives the same case, on the wire
    When "acme" opens a case with the idempotency key "order-1"
    Then the response has no header "Idempotency-Replayed"
    And the store received a transaction of:
      | Put of "AuthBridgeTable", only if "attribute_not_exists(PK)"                               |
      | Put of "AuthBridgeTable", only if "attribute_not_exists(PK) OR ttl <= {seconds in 0 days}" |
      | Put of "AuthBridgeTable", only if "attribute_not_exists(PK)"                               |
    When "acme" opens a case with the idempotency key "order-1"
    Then the response's header "Idempotency-Replayed" is "true"
    And the store received no TransactWriteItems

  @VR-R11.race
  Scenario: Many simultaneous requests with one key open one case, on the wire
    When "acme" opens a case with the idempotency key "order-1" 6 times at once
    Then 1 of the responses is 201 and the others are 200
    And all responses are about one case

  @VR-R11.body
  Scenario: The same key with another body is refused, on the wire
    Given "acme" opens a case with the idempotency key "order-1"
    When "acme" opens a case with the idempotency key "order-1" about a passport
    Then the response names the field "header.Idempotency-Key"

  @VR-R11.together
  Scenario: A document and the marker of its key are written in one transaction
    Given "acme" has opened the case "c1"
    When "acme" announces the document "omang_front" of "c1" with the idempotency key "k1"
    Then it is created
    And the store received a transaction of:
      | Update of "AuthBridgeTable" where "PK = 'CASE#{c1}' AND SK = 'META'", only if "status = 'created' AND documentCount = 0" |
      | Put of "AuthBridgeTable", only if "attribute_not_exists(PK)"                                                             |
      | Put of "AuthBridgeTable", only if "attribute_not_exists(PK) OR ttl <= {seconds in 0 days}"                               |
      | Put of "AuthBridgeTable", only if "attribute_not_exists(PK)"                                                             |
    When the same request is sent again
    Then the response's header "Idempotency-Replayed" is "true"
    And nothing was written except the audit trail

  @VR-R11.together
  Scenario Outline: <thing> and the marker of its key are written in one transaction, and a repeat adds only an audit entry
    Given the client "acme"
    And earlier requests are ignored
    When <does> with the idempotency key "k1"
    Then it is created
    And the store received a transaction of:
      | Put of "AuthBridgeTable", only if "attribute_not_exists(PK)"                               |
      | Put of "AuthBridgeTable", only if "attribute_not_exists(PK) OR ttl <= {seconds in 0 days}" |
      | Put of "AuthBridgeTable", only if "attribute_not_exists(PK)"                               |
    When the same request is sent again
    Then the response's header "Idempotency-Replayed" is "true"
    And nothing was written except the audit trail

    Examples:
      | thing      | does                                          |
      | A session  | "acme" opens a session                        |
      | An API key | the administrator creates an API key for "shop" |

  @VR-R11.race
  Scenario: Many simultaneous announcements with one key create one document
    Given "acme" has opened the case "c1"
    And each TransactWriteItems waits until 2 have arrived and no more follow
    When "acme" announces the document "omang_front" of "c1" with the idempotency key "k1" 6 times at once
    Then 1 of the responses is 201 and the others are 200
    And the table holds 1 "DOC#" item

  @VR-R11.race
  Scenario: Many simultaneous requests for an API key with one key create one
    Given each TransactWriteItems waits until 2 have arrived and no more follow
    When the administrator creates an API key for "shop" with the idempotency key "k1" 6 times at once
    Then 1 of the responses is 201 and the others are 200
    And the table holds 1 "APIKEY#" item

  @VR-R11.private
  Scenario: The table contains neither the idempotency key nor the request
    When the administrator creates an API key for "shop" with the idempotency key "order-1234"
    Then no "IDEM#" item contains "shop"
    And no table contains "order-1234"

  @VR-R11.together @needs:commands
  Scenario: A document whose transaction loses its response is stored once
    Given "acme" has opened the case "c1"
    And the next TransactWriteItems of "AuthBridgeTable" loses its response
    When "acme" announces the document "omang_front" of "c1" with the idempotency key "k1"
    Then it is created
    And the table holds 1 "DOC#" item

  @VR-R8.shown @needs:commands
  Scenario: An audit entry whose response is lost is written once, and the case is shown
    Given "acme" has opened the case "c1"
    And the next PutItem of "AuthBridgeTable" loses its response
    When 1 second passes
    And "acme" looks at "c1"
    Then the response is 200
    And 1 fault occurred
    When the administrator reads the audit trail of "{client acme}"
    Then it has the entries:
      | {client acme} | client | case.create | {c1} | done | created |
      | {client acme} | client | case.read   | {c1} | done |         |
