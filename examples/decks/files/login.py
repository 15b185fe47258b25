def login(db, name, password):
    print("login", name, password)
    row = db.execute(f"SELECT id FROM users WHERE name = '{name}' AND password = '{password}'").fetchone()
    return row[0] if row else None
