Feature: A case is open for 30 days, on the wire
  The requests that the service sends to its store, the items that the store then holds, and the HTTP responses.

  @VR-R7.end @VR-D1 @needs:commands
  Scenario: The documented sample case expires after 30 days, not a year earlier, on the wire
    Given it is 2026-01-14T10:00:00Z
    When "acme" opens the case "c1"
    Then the item of "AuthBridgeTable" where "PK = 'CASE#{c1}' AND SK = 'META'" has:
      | expiresAt | '2026-02-13T10:00:00Z' |
      | ttl       | 1770976800             |

  @VR-D1 @needs:move-time @needs:private-store
  Scenario: With the ttl of the documented sample, a case is deleted at once
    Given "acme" has opened the case "c1"
    When a client sends an UpdateItem of "AuthBridgeTable" where "PK = 'CASE#{c1}' AND SK = 'META'", setting "SET ttl = {a year before its end}"
    And 1 minute passes
    And "acme" looks at "c1"
    Then it is not found

  @VR-R7.written @VR-R7.documents @VR-R7.decided
  Scenario: The expiry job marks cases as expired and removes documents and files, on the wire
    Given the service keeps files in a folder
    And the case "c1" of "acme" is in_review
    And the case "c2" of "acme" is approved
    And "acme" has opened the case "c3"
    And the folder holds 2 files
    When only the service's clock moves 30 days
    And the expiry job runs
    Then there is no item of "AuthBridgeTable" where "PK = 'CASE#{c1}' AND SK = 'DOC#{omang-front}'"
    And the item of "AuthBridgeTable" where "PK = 'CASE#{c1}' AND SK = 'META'" has:
      | status | 'expired'                 |
      | GSI1SK | 'expired#{opening of c1}' |
    And the item of "AuthBridgeTable" where "PK = 'CASE#{c2}' AND SK = 'META'" has:
      | status | 'approved' |

  @VR-R7.left @VR-R7.end @needs:move-time @needs:private-store
  Scenario: The store expires cases and documents, and the job removes their files
    Given the service keeps files in a folder
    And the case "c1" of "acme" is in_review
    When 32 days pass
    Then there is no item of "AuthBridgeTable" where "PK = 'CASE#{c1}' AND SK = 'META'"
    And there is no item of "AuthBridgeTable" where "PK = 'CASE#{c1}' AND SK = 'DOC#{omang-front}'"
