Feature: Every operation is in the audit trail
  The trail records for five years who did what, when, and with which result: reads and refusals too, but no customer
  data. The service can add entries, and can neither change nor delete them.

  @VR-R8.changes @VR-R8.refusals @VR-P7.user
  Scenario: The trail shows what a client did
    Given the case "c1" of "acme" is submitted
    And "acme" looks at "c1"
    And "acme" submits "c1"
    Then it is refused as a conflict
    When the administrator reads the audit trail of "{client acme}"
    Then it has the entries:
      | {client acme} | client | case.create       | {c1}               | done    | created                                |
      | {client acme} | client | document.add      | {c1} {omang-front} | done    | created documents_uploading            |
      | {client acme} | client | document.uploaded | {c1} {omang-front} | done    |                                        |
      | {client acme} | client | case.complete     | {c1}               | done    | documents_uploading documents_complete |
      | {client acme} | client | case.submit       | {c1}               | done    | documents_complete submitted           |
      | {client acme} | client | case.read         | {c1}               | done    |                                        |
      | {client acme} | client | case.submit       | {c1}               | refused | submitted submitted                    |

  @VR-R8.reads @VR-R8.refusals @VR-P8.day
  Scenario: The trail shows what was done on a day
    Given "acme" has opened the case "c1"
    And the reviewer "rita" looks at "c1"
    And the reviewer "rita" lists the cases of 2020-01-01
    And "other" looks at "c1"
    Then it is not found
    When "other" lists its cases
    And the administrator reads the audit trail of today
    Then it has the entries:
      | admin          | admin    | key.create  | {key id of acme}  | done      |         |
      | {client acme}  | client   | case.create | {c1}              | done      | created |
      | rita           | reviewer | case.read   | {c1}              | done      |         |
      | rita           | reviewer | case.list   | 2020-01-01        | done      |         |
      | admin          | admin    | key.create  | {key id of other} | done      |         |
      | {client other} | client   | case.read   | {c1}              | not_found |         |
      | {client other} | client   | case.list   |                   | done      |         |
    When the administrator reads the audit trail of "admin"
    Then the response contains "audit.read"

  @VR-R8.administration
  Scenario: Every operation of clients and administrators leaves an entry
    Given the client "acme"
    When "acme" opens the session "s1"
    Then the trail of "{client acme}" ends with "session.create | {session s1} | done"
    When 1 second passes
    And the session "s1" lists its cases
    Then the trail of "{client acme}" ends with "case.list |  | done"
    When 1 second passes
    And the session "s1" is ended
    Then the trail of "{client acme}" ends with "session.end | {session s1} | done"
    When 1 second passes
    And the administrator rotates the key of contact data
    Then the trail of "admin" ends with "pii.rotate |  | done"
    When 1 second passes
    And the administrator lists the API keys
    Then the trail of "admin" ends with "key.list |  | done"
    When 1 second passes
    And the key of "acme" is revoked
    Then the trail of "admin" ends with "key.revoke | {key id of acme} | done"

  @VR-R8.changes @VR-R8.reads @VR-R8.refusals
  Scenario: Every operation on a document leaves an entry
    Given "acme" has opened the case "c1"
    And "acme" announces the document "omang_front" of "c1"
    When 1 second passes
    And "acme" requests a new upload address for "omang_front"
    Then the trail of "{client acme}" ends with "document.address | {c1} {omang-front} | done"
    When 1 second passes
    And "acme" confirms the upload of "omang_front"
    Then it is refused as a conflict
    And the trail of "{client acme}" ends with "document.uploaded | {c1} {omang-front} | refused"
    When the file of "omang_front" is sent
    And 1 second passes
    And "acme" confirms the upload of "omang_front"
    Then the trail of "{client acme}" ends with "document.uploaded | {c1} {omang-front} | done"
    When 1 second passes
    And "acme" confirms the upload of "omang_front"
    Then the trail of "{client acme}" ends with "document.uploaded | {c1} {omang-front} | done"
    When 1 second passes
    And "acme" lists the documents of "c1"
    Then the trail of "{client acme}" ends with "document.list | {c1} | done"
    When the reviewer "rita" lists the documents of "c1"
    Then the trail of "rita" ends with "document.list | {c1} | done"
    When "other" lists the documents of "c1"
    Then it is not found
    And the trail of "{client other}" ends with "document.list | {c1} | not_found"

  @VR-R8.review
  Scenario: Every processing result of a document leaves an entry
    Given the case "c1" of "acme" is processing
    When 1 second passes
    And processing marks "omang_front" as processing
    Then the trail of "rita" ends with "document.status | {c1} {omang-front} processing | done"
    When 1 second passes
    And processing marks "omang_front" as uploaded
    Then it is refused as a conflict
    And the trail of "rita" ends with "document.status | {c1} {omang-front} uploaded | refused"

  @VR-R8.refusals
  Scenario: A repeated creation leaves its own entry
    Given "acme" opens a case with the idempotency key "order-1"
    And the case of that response is saved as "c1"
    When 1 second passes
    And "acme" opens a case with the idempotency key "order-1"
    Then the trail of "{client acme}" ends with "case.create | {c1} | replayed"

  @VR-P7.pages
  Scenario: A user's long trail comes newest first, in pages
    Given "acme" has opened 5 cases a minute apart
    When the administrator reads the audit trail of "{client acme}" in pages of 2
    Then the trail has 5 entries in 3 pages, newest first

  @VR-P8.pages
  Scenario: A day's long trail comes newest first, in pages
    Given "acme" has opened 4 cases a minute apart
    When the administrator reads the audit trail of today in pages of 2
    Then the trail has 5 entries in 3 pages, newest first

  @VR-R8.review
  Scenario: A reviewer's reason is in the trail as a code
    Given the case "c1" of "acme" is in_review
    When 1 second passes
    And the reviewer "ravi" moves "c1" to rejected because of "document_unreadable"
    Then the trail of "ravi" ends with "case.transition | {c1} | done | in_review rejected document_unreadable"

  @VR-D4
  Scenario: Entries of the audit trail expire after five years
    When "acme" opens the case "c1"
    Then every entry of the audit trail ends 5 years after it was made

  @VR-D4 @needs:move-time @needs:private-store
  Scenario: The trail outlives its cases
    Given "acme" has opened the case "c1"
    When 31 days pass
    And the administrator reads the audit trail of "{client acme}"
    Then it has the entries:
      | {client acme} | client | case.create | {c1} | done | created |

  @VR-R8.retention @VR-D4
  Scenario: Retention removes only entries older than five years
    Given "acme" has opened the case "c1"
    When only the service's clock moves 1825 days
    And the audit retention runs
    Then no audit entries were removed
    When only the service's clock moves 2 days
    And the audit retention runs
    Then 2 audit entries were removed
    When only the service's clock moves 1 hour
    And the audit retention runs
    Then no audit entries were removed

  @VR-R8.retention @needs:commands
  Scenario: Retention removes only the expired entries of a day
    Given "acme" has opened the case "c1"
    And only the service's clock moves 10 seconds
    And "acme" has opened the case "c2"
    When only the service's clock moves 5 years less 5 seconds
    And the audit retention runs
    Then 2 audit entries were removed
    When only the service's clock moves 1 hour
    And the audit retention runs
    Then 1 audit entry was removed
