Feature: Every operation is in the audit trail, on the wire
  The requests that the service sends to its store, the items that the store then holds, and the HTTP responses.

  @VR-R8.changes @VR-R8.refusals @VR-P7.user
  Scenario: The trail shows what a client did, on the wire
    Given the case "c1" of "acme" is submitted
    And "acme" looks at "c1"
    And "acme" submits "c1"
    Then it is refused as a conflict
    When the administrator reads the audit trail of "{client acme}"
    Then the store received a Query of index "GSI3" of "AuthBridgeTable" where "GSI3PK = 'USER#{client acme}'", descending

  @VR-R8.reads @VR-R8.refusals @VR-P8.day
  Scenario: The trail shows what was done on a day, on the wire
    Given "acme" has opened the case "c1"
    And the reviewer "rita" looks at "c1"
    And the reviewer "rita" lists the cases of 2020-01-01
    And "other" looks at "c1"
    Then it is not found
    When "other" lists its cases
    And the administrator reads the audit trail of today
    Then the store received a Query of "AuthBridgeTable" where "PK = 'AUDIT#{today}'", descending

  @VR-R8.shown
  Scenario: Documents are not listed unless the access is in the trail
    Given the case "c1" of "acme" is documents_uploading
    When the store refuses the next entry of the trail
    And "acme" lists the documents of "c1"
    Then the response is 503
    And the response does not contain "{omang-front}"

  @VR-R5.hidden
  Scenario: The trail contains no customer data
    Given the case "c1" of "acme" is in_review
    And the reviewer "rita" moves "c1" to approved
    Then a copy of the table holds nothing of "thabo" in the audit trail
    And a copy of the table holds nothing of "26771234567" in the audit trail
    And a copy of the table holds nothing of "cust_123" in the audit trail

  @VR-R8.shown
  Scenario: A case is not shown unless the access is in the trail
    Given "acme" has opened the case "c1"
    When the store refuses the next entry of the trail
    And "acme" looks at "c1"
    Then the response is 503
    And the response does not contain "example.com"

  @VR-D4
  Scenario: Entries expire after five years and cases after 30 days, in one table
    When "acme" opens the case "c1"
    Then the item of "AuthBridgeTable" where "PK = 'CASE#{c1}' AND SK = 'META'" has:
      | ttl | {seconds in 30 days} |

  @VR-D4 @needs:move-time @needs:private-store
  Scenario: The trail outlives its cases, on the wire
    Given "acme" has opened the case "c1"
    When 31 days pass
    Then there is no item of "AuthBridgeTable" where "PK = 'CASE#{c1}' AND SK = 'META'"

  @VR-R8.role @needs:commands
  Scenario: The service works with the permissions of its role
    Given the service runs in its role, on a store that enforces IAM policies
    And the case "c1" of "acme" is in_review
    When the reviewer "rita" moves "c1" to approved
    Then the response is 200
    When "acme" opens the session "s1"
    And the session "s1" lists its cases
    Then the response is 200
    When the session "s1" is ended
    Then the response is 204
    When "acme" opens a case with the idempotency key "order-1"
    Then the response is 201
    When the administrator rotates the key of contact data
    And the administrator reads the audit trail of "rita"
    Then the response is 200

  @VR-R8.role @needs:commands
  Scenario: The service's role cannot change or delete an entry
    Given the service runs in its role, on a store that enforces IAM policies
    And "acme" has opened the case "c1"
    Then the application may not change an entry of the audit trail
    And the application may not delete an entry of the audit trail
    And the application may not delete in a batch an entry of the audit trail
    And the application may not change in a transaction an entry of the audit trail
    And the application may not delete in a transaction an entry of the audit trail
    And the application may add an entry to the audit trail, but cannot overwrite one

  @VR-R8.retention @needs:commands
  Scenario: Retention has its own role
    Given the service runs in its role, on a store that enforces IAM policies
    And "acme" has opened the case "c1"
    When only the service's clock moves 1828 days
    And the audit retention runs in the application's role
    Then it is refused with AccessDeniedException
    When the audit retention runs in the retention's role
    Then 2 audit entries were removed
