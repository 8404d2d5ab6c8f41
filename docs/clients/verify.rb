require "openssl"

# The body is the bytes of the request, before anything parses them.
def genuine?(secret, headers, body)
  id, sent = headers.values_at("webhook-id", "webhook-timestamp")
  return false if (Time.now.to_i - sent.to_i).abs > 300

  key = secret.delete_prefix("whsec_").unpack1("m")
  digest = OpenSSL::HMAC.digest("SHA256", key, "#{id}.#{sent}.#{body}")
  expected = "v1,#{[digest].pack("m0")}"
  headers["webhook-signature"].split(" ").any? do |one|
    OpenSSL.secure_compare(one, expected)
  end
end
