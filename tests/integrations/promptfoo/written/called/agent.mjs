export default class {
  id() {
    return 'agent';
  }

  async callApi(prompt) {
    return { output: prompt };
  }
}
