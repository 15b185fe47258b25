module.exports = class {
  id() {
    return 'sometimes';
  }

  async callApi(prompt) {
    return prompt.includes('France') ? { output: 'Paris' } : { error: 'not now' };
  }
};
