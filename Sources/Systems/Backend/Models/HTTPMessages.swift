public import AppServer
public import KodamaNetwork

// Requests to an app's own server and their answers travel over streams.

extension HTTPRequest: StreamContent {}
extension HTTPResponse: StreamContent {}
