Feature: Clients open cases about their customers
  A client names the customer to verify and the kind of document. It sees only its own cases.

  @VR-P5 @VR-R1.case @VR-D1 @VR-R7.end
  Scenario: A case is opened
    When "acme" opens the case "c1"
    Then it is created
    And the response's "status" is "created"

  @VR-P1
  Scenario: A case is read by its id
    Given "acme" has opened the case "c1"
    When "acme" looks at "c1"
    Then it is the case "c1"
    And the response's "customerMetadata.email" is "thabo.molefe@example.com"
    And the response's "customerMetadata.phone" is "+26771234567"

  @VR-P3.client @VR-R6.lists
  Scenario: A client lists its cases
    Given "acme" has opened the case "c1"
    And 1 minute passes
    And "acme" has opened the case "c2"
    And "other" has opened the case "c3"
    When "acme" lists its cases
    Then the list is "c2, c1"

  @VR-P3.status @VR-D3
  Scenario: A client lists its cases of one status
    Given the case "c1" of "acme" is documents_uploading
    And "acme" has opened the case "c2"
    When "acme" lists its cases that are "created"
    Then the list is "c2"
    When "acme" lists its cases that are "approved"
    Then the list is none

  @VR-P3.pages
  Scenario: A long list comes in pages, each case once
    Given "acme" has opened 7 cases a minute apart
    When "acme" lists its cases in pages of 3
    Then the list has 7 cases in 3 pages

  @VR-P4.day @VR-P4.order
  Scenario: Reviewers list the cases of a day from all clients
    Given "acme" has opened the case "c1"
    And 1 second passes
    And "other" has opened the case "c2"
    When the reviewer "rita" lists the cases of today in pages of 1
    Then the list has 2 cases in 2 pages
    And the list is "c1, c2"
    When the reviewer "rita" lists the cases of 2020-01-01
    Then the list is none

  @VR-R5.hidden
  Scenario: Lists show no contact data
    Given "acme" has opened the case "c1"
    When "acme" lists its cases
    Then the list is "c1"
    And the response does not contain "example.com"
    And the response does not contain "26771234567"
    When the reviewer "rita" lists the cases of today
    Then the list is "c1"
    And the response does not contain "example.com"

  @VR-R6.absent @VR-R6.lists
  Scenario: Another client's case looks like one that does not exist
    Given "acme" has opened the case "c1"
    When "other" looks at a case that does not exist
    Then it is not found
    When "other" looks at "c1"
    Then it is not found
    When "other" lists its cases
    Then the list is none

  @VR-R6.lists
  Scenario: A cursor of another client's list is refused
    Given "acme" has opened 2 cases a minute apart
    When "acme" lists its cases in pages of 1
    And "other" continues that list
    Then it is refused as a bad request
