module.exports = () => [{ vars: { greeting: "Made", name: "up" } }];
