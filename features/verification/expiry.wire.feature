Feature: A case is open for thirty days, on the wire
  What the service asks of its store for this, what the store holds then, and what HTTP answers.

  @VR-R7.end @VR-D1 @needs:commands
  Scenario: The document's sample expires when it says, not a year before, on the wire
    Given it is 2026-01-14T10:00:00Z
    When "acme" opens the case "c1"
    Then the item of "AuthBridgeTable" where "PK = 'CASE#{c1}' AND SK = 'META'" has:
      | expiresAt | '2026-02-13T10:00:00Z' |
      | ttl       | 1770976800             |

  @VR-D1 @needs:move-time @needs:private-store
  Scenario: With the sample's ttl a case would be gone at once
    Given "acme" has opened the case "c1"
    When the store is asked for an UpdateItem of "AuthBridgeTable" where "PK = 'CASE#{c1}' AND SK = 'META'", setting "SET ttl = {a year before its end}"
    And 1 minute passes
    And "acme" looks at "c1"
    Then it is not found

  @VR-R7.written @VR-R7.documents @VR-R7.decided
  Scenario: The expiry job writes it down, and removes documents and files, on the wire
    Given the service keeps files in a folder
    And the case "c1" of "acme" is in_review
    And the case "c2" of "acme" is approved
    And "acme" has opened the case "c3"
    And the folder holds 2 files
    When the service's clock alone moves 30 days
    And the expiry job runs
    Then there is no item of "AuthBridgeTable" where "PK = 'CASE#{c1}' AND SK = 'DOC#{omang-front}'"
    And the item of "AuthBridgeTable" where "PK = 'CASE#{c1}' AND SK = 'META'" has:
      | status | 'expired'                 |
      | GSI1SK | 'expired#{opening of c1}' |
    And the item of "AuthBridgeTable" where "PK = 'CASE#{c2}' AND SK = 'META'" has:
      | status | 'approved' |

  @VR-R7.left @VR-R7.end @needs:move-time @needs:private-store
  Scenario: The store removes case and documents by themselves, and the job the files that are left
    Given the service keeps files in a folder
    And the case "c1" of "acme" is in_review
    When 32 days pass
    Then there is no item of "AuthBridgeTable" where "PK = 'CASE#{c1}' AND SK = 'META'"
    And there is no item of "AuthBridgeTable" where "PK = 'CASE#{c1}' AND SK = 'DOC#{omang-front}'"
