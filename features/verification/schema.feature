Feature: The service runs where it must
  It runs only in Cape Town and only accepts TLS 1.2 or newer.

  @VR-R9
  Scenario Outline: The service does not start in <region> <endpoint>
    When the service starts in "<region>" at "<endpoint>"
    Then it does not start and says "af-south-1"

    Examples:
      | region     | endpoint                                 |
      | eu-west-1  |                                          |
      | us-east-1  |                                          |
      | af-south-2 |                                          |
      | af-south-1 | https://dynamodb.eu-west-1.amazonaws.com |
      | eu-west-1  | https://dynamodb.eu-west-1.amazonaws.com |
      | af-south-1 | https://dynamodb.us-east-1.api.aws       |

  @VR-R9
  Scenario: The service starts in Cape Town, and against a local store
    When the service starts in "af-south-1"
    Then it starts
    When the service starts in "af-south-1" at "https://dynamodb.af-south-1.amazonaws.com"
    Then it starts
    When the service starts in "us-east-1" at "http://127.0.0.1:8000"
    Then it starts

  @VR-R10 @VR-D8
  Scenario: TLS 1.2 or newer is served, older is refused
    Then a client that speaks TLS 1.0 is refused
    And a client that speaks TLS 1.1 is refused
    And a client that speaks TLS 1.2 is served
    And a client that speaks TLS 1.3 is served
