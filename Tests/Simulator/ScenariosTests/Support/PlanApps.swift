import Scenarios

extension WorldPlan {
    /// The session app on the first phone, which has to have one.
    var session: SessionAppPlan {
        guard let app = phones[0].settings(of: SessionAppPlan.self) else {
            preconditionFailure("the first phone has no session app")
        }
        return app
    }

    /// The intercom on a phone, which has to have one.
    func intercom(_ position: Int) -> IntercomAppPlan {
        guard let app = phones[position].settings(of: IntercomAppPlan.self) else {
            preconditionFailure("phone \(position) has no intercom")
        }
        return app
    }
}
