Feature: A case is open for 30 days
  A case that is not decided by then expires, and its documents are deleted.

  @VR-R7.end @VR-D1 @needs:commands
  Scenario: The documented sample case expires after 30 days, not a year earlier
    Given it is 2026-01-14T10:00:00Z
    When "acme" opens the case "c1"
    Then the response's "expiresAt" is "2026-02-13T10:00:00Z"

  @VR-R7.second
  Scenario: An undecided case expires after exactly 30 days
    Given the case "c1" of "acme" is submitted
    When only the service's clock moves 2591999 seconds
    And "acme" looks at "c1"
    Then the response's "status" is "submitted"
    When only the service's clock moves 1 second
    And "acme" looks at "c1"
    Then the response's "status" is "expired"
    When the reviewer "rita" moves "c1" to processing
    Then it is refused as a conflict
    And the response contains "the case is expired"
    When "acme" lists its cases that are "submitted"
    Then the list is none

  @VR-R7.decided
  Scenario: A decided case does not expire
    Given the case "c1" of "acme" is approved
    When only the service's clock moves 31 days
    And "acme" looks at "c1"
    Then the response's "status" is "approved"

  @VR-R7.written @VR-R7.documents @VR-R7.decided
  Scenario: The expiry job marks cases as expired and removes documents and files
    Given the service keeps files in a folder
    And the case "c1" of "acme" is in_review
    And the case "c2" of "acme" is approved
    And "acme" has opened the case "c3"
    And the folder holds 2 files
    When only the service's clock moves 30 days
    And the expiry job runs
    Then the job expired 2 cases and removed 2 documents and 2 files
    And the folder holds no files
    When the administrator reads the audit trail of "system"
    Then it has the entries:
      | system | system | case.expire      | {c1} | done | in_review expired |
      | system | system | case.expire      | {c3} | done | created expired   |
      | system | system | documents.remove | {c1} | done |                   |
      | system | system | documents.remove | {c2} | done |                   |

  @VR-R7.resumed
  Scenario: The expiry job can run again, and twice at once
    Given the service keeps files in a folder
    And the case "c1" of "acme" is in_review
    And "acme" has opened the case "c2"
    When only the service's clock moves 30 days
    And 2 expiry jobs run at once
    Then each of "c1" and "c2" was expired once
    And the folder holds no files
    When only the service's clock moves 1 hour
    And the expiry job runs
    Then the job expired 0 cases and removed no documents and no files

  @VR-R7.resumed @VR-R7.written
  Scenario: The expiry job can be stopped and resumed
    Given "acme" has opened the case "c1"
    And only the service's clock moves 1 day
    And "acme" has opened the case "c2"
    When only the service's clock moves 30 days
    And the expiry job is stopped after the first day
    Then the job expired 1 case and removed no documents and no files
    When the expiry job resumes
    Then the job expired 2 cases and removed no documents and no files

  @VR-R7.documents @VR-R7.left
  Scenario: A file stays until its own case expires
    Given the service keeps files in a folder
    And the case "c1" of "acme" is in_review
    And only the service's clock moves 1 hour
    And the case "c2" of "acme" is in_review
    When only the service's clock moves 2588400 seconds
    And the expiry job runs
    Then the job expired 1 case and removed 1 document and 1 file
    And the folder holds 1 file

  @VR-R7.written
  Scenario: A case that is not due is left alone
    Given "acme" has opened the case "c1"
    When only the service's clock moves 2591999 seconds
    And the expiry job runs
    Then the job expired 0 cases and removed no documents and no files

  @VR-R7.left @VR-R7.end @VR-R8.changes @needs:move-time @needs:private-store @needs:commands
  Scenario: The expiry job removes the files of a case that is already deleted
    Given it is 2026-01-14T10:00:00Z
    And the service keeps files in a folder
    And the case "c1" of "acme" is in_review
    When 32 days pass
    And the expiry job runs
    Then the job expired 0 cases and removed no documents and 1 file
    And the folder holds no files
    When the administrator reads the audit trail of "system"
    Then it has the entries:
      | system | system | files.remove | 2026-01-14 | done |  |

  @VR-R7.left @needs:move-time @needs:private-store
  Scenario: The expiry job removes the files of a case that ended long ago
    Given the service keeps files in a folder
    And the case "c1" of "acme" is in_review
    When 200 days pass
    And the expiry job runs
    Then the job expired 0 cases and removed no documents and 1 file
    And the folder holds no files
