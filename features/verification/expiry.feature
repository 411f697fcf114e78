Feature: A case is open for thirty days
  A case that is not decided by then is expired, and its documents go with it.

  @VR-R7.end @VR-D1 @needs:commands
  Scenario: The document's sample expires when it says, not a year before
    Given it is 2026-01-14T10:00:00Z
    When "acme" opens the case "c1"
    Then the answer's "expiresAt" is "2026-02-13T10:00:00Z"

  @VR-R7.second
  Scenario: A case that is not decided is expired at that second
    Given the case "c1" of "acme" is submitted
    When the service's clock alone moves 2591999 seconds
    And "acme" looks at "c1"
    Then the answer's "status" is "submitted"
    When the service's clock alone moves 1 second
    And "acme" looks at "c1"
    Then the answer's "status" is "expired"
    When the reviewer "rita" moves "c1" to processing
    Then it is refused as a conflict
    And the answer says "the case is expired"
    When "acme" lists its cases that are "submitted"
    Then the list is none

  @VR-R7.decided
  Scenario: A decision stays what it is
    Given the case "c1" of "acme" is approved
    When the service's clock alone moves 31 days
    And "acme" looks at "c1"
    Then the answer's "status" is "approved"

  @VR-R7.written @VR-R7.documents @VR-R7.decided
  Scenario: The expiry job writes it down, and removes documents and files
    Given the service keeps files in a folder
    And the case "c1" of "acme" is in_review
    And the case "c2" of "acme" is approved
    And "acme" has opened the case "c3"
    And the folder holds 2 files
    When the service's clock alone moves 30 days
    And the expiry job runs
    Then 2 cases were expired, and 2 documents and 2 files were removed
    And the folder holds no files
    When the administrator reads the audit trail of "system"
    Then it has the entries:
      | system | case.expire      | {c1} | done | in_review expired |
      | system | case.expire      | {c3} | done | created expired   |
      | system | documents.remove | {c1} | done |                   |
      | system | documents.remove | {c2} | done |                   |

  @VR-R7.resumed
  Scenario: The expiry job may be run again, and in two places at once
    Given the service keeps files in a folder
    And the case "c1" of "acme" is in_review
    And "acme" has opened the case "c2"
    When the service's clock alone moves 30 days
    And the expiry job runs in 2 places at once
    Then each of "c1" and "c2" was expired once
    And the folder holds no files
    When the service's clock alone moves 1 hour
    And the expiry job runs
    Then 0 cases were expired, and no documents and no files were removed

  @VR-R7.resumed @VR-R7.written
  Scenario: The expiry job may be stopped, and goes on
    Given "acme" has opened the case "c1"
    And the service's clock alone moves 1 day
    And "acme" has opened the case "c2"
    When the service's clock alone moves 30 days
    And the expiry job is stopped after the first day
    Then 1 case was expired, and no documents and no files were removed
    When the expiry job goes on where it was stopped
    Then 2 cases were expired, and no documents and no files were removed

  @VR-R7.documents @VR-R7.left
  Scenario: A file stays until its own case is over
    Given the service keeps files in a folder
    And the case "c1" of "acme" is in_review
    And the service's clock alone moves 1 hour
    And the case "c2" of "acme" is in_review
    When the service's clock alone moves 2588400 seconds
    And the expiry job runs
    Then 1 case was expired, and 1 document and 1 file were removed
    And the folder holds 1 file

  @VR-R7.written
  Scenario: A case that is not due is left alone
    Given "acme" has opened the case "c1"
    When the service's clock alone moves 2591999 seconds
    And the expiry job runs
    Then 0 cases were expired, and no documents and no files were removed

  @VR-R7.left @VR-R7.end @VR-R8.changes @needs:move-time @needs:private-store @needs:commands
  Scenario: The files of a case that is gone already are removed by the expiry job
    Given it is 2026-01-14T10:00:00Z
    And the service keeps files in a folder
    And the case "c1" of "acme" is in_review
    When 32 days pass
    And the expiry job runs
    Then 0 cases were expired, and no documents and 1 files were removed
    And the folder holds no files
    When the administrator reads the audit trail of "system"
    Then it has the entries:
      | system | files.remove | 2026-01-14 | done | |

  @VR-R7.left @needs:move-time @needs:private-store
  Scenario: The files of a case that ended long ago are removed too
    Given the service keeps files in a folder
    And the case "c1" of "acme" is in_review
    When 200 days pass
    And the expiry job runs
    Then 0 cases were expired, and no documents and 1 files were removed
    And the folder holds no files
